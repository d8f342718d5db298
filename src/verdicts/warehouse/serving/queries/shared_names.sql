-- question: Which names belong to more than one tool?
-- topic: tools
-- parameter: limit = 50: at most this many names
-- picture: bars name tools
WITH shared AS (
    SELECT name
    FROM tools
    GROUP BY name
    HAVING count(*) > 1
)

SELECT
    name,
    count(*) AS tools,
    list(coalesce(slug, tool_id) ORDER BY slug, tool_id) AS tools_by_slug,
    min(panel_ship_pct) AS lowest_panel_pct,
    max(panel_ship_pct) AS highest_panel_pct
FROM tools
SEMI JOIN shared USING (name)
GROUP BY name
ORDER BY tools DESC, name
LIMIT $limit::BIGINT
