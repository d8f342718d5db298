-- question: How many pages has each kind, host, verdict and category, with the other filters?
-- topic: market
-- filters: list_pages
-- picture: table
WITH asked AS (
    SELECT
        page_id,
        kind,
        coalesce(host, 'none') AS of_host,
        $kind::VARCHAR IS NULL OR kind = $kind::VARCHAR AS is_kind,
        $host::VARCHAR IS NULL OR host = $host::VARCHAR AS is_host
    FROM pages
    WHERE
        first_seen_at >= $since::TIMESTAMPTZ
        AND (
            $words::VARCHAR IS NULL OR contains(lower(title), lower($words::VARCHAR))
            OR contains(lower(url), lower($words::VARCHAR))
        )
),

fitting AS (
    SELECT
        -- Numbers are counted a quarter faster than ids.
        hash(asked.page_id) AS page,
        asked.kind,
        asked.of_host,
        asked.is_kind,
        asked.is_host,
        coalesce(matches.panel_verdict, 'none') AS of_verdict,
        tools.of_category,
        $verdict::VARCHAR IS NULL OR coalesce(matches.panel_verdict, 'none') = $verdict::VARCHAR AS is_verdict,
        tools.is_category
    FROM asked
    INNER JOIN matches USING (page_id)
    INNER JOIN tools_that_fit(
        NULL, $category::VARCHAR, NULL, NULL, $reviewer::VARCHAR, $attribution::VARCHAR,
        $score_from::DOUBLE, $score_to::DOUBLE, $price_from::DOUBLE, $price_to::DOUBLE
    ) AS tools USING (tool_id)
),

-- Without a filter for tools of a panel, pages of other sites count, too.
every AS (
    SELECT page, kind, of_host, is_kind, is_host
    FROM fitting
    WHERE is_verdict AND is_category
    UNION ALL
    SELECT hash(page_id), kind, of_host, is_kind, is_host
    FROM asked
    WHERE
        coalesce(
            $verdict::VARCHAR, $category::VARCHAR, $reviewer::VARCHAR, $attribution::VARCHAR,
            $score_from::VARCHAR, $score_to::VARCHAR, $price_from::VARCHAR, $price_to::VARCHAR
        ) IS NULL
)

SELECT 'kind' AS facet, kind AS value, count(DISTINCT page) AS pages
FROM every WHERE is_host GROUP BY kind
UNION ALL
SELECT 'host', of_host, count(DISTINCT page)
FROM every WHERE is_kind GROUP BY of_host
UNION ALL
SELECT 'verdict', of_verdict, count(DISTINCT page)
FROM fitting WHERE is_category AND is_kind AND is_host GROUP BY of_verdict
UNION ALL
SELECT 'category', of_category, count(DISTINCT page)
FROM fitting WHERE is_verdict AND is_kind AND is_host GROUP BY of_category
ORDER BY facet, pages DESC, value
