-- question: How many tools do pages of each host and kind mention, with the other filters?
-- topic: sites
-- filters: list_mentioned
-- picture: table
WITH fitting AS (
    SELECT *
    FROM mentions_that_fit($words::VARCHAR, $host::VARCHAR, $kind::VARCHAR, $panel::VARCHAR)
)

SELECT 'host' AS facet, coalesce(host, 'none') AS value, count(DISTINCT name_key) AS mentioned
FROM fitting WHERE is_kind AND is_panel GROUP BY ALL
UNION ALL
SELECT 'kind', kind, count(DISTINCT name_key)
FROM fitting WHERE is_host AND is_panel GROUP BY ALL
UNION ALL
SELECT 'panel', of_panel, count(DISTINCT name_key)
FROM fitting WHERE is_host AND is_kind GROUP BY ALL
ORDER BY facet, mentioned DESC, value
