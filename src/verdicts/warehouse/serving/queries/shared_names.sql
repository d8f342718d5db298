-- question: Which names belong to more than one tool?
-- topic: tools
-- parameter: limit = 50: at most this many names
-- picture: bars name tools
WITH shared AS (
    SELECT name
    FROM scorecards
    GROUP BY name
    HAVING count(*) > 1
)

SELECT
    scorecards.name,
    count(*) AS tools,
    list(coalesce(scorecards.slug, scorecards.tool_id) ORDER BY scorecards.slug, scorecards.tool_id) AS tools_by_slug,
    min(scorecards.panel_ship_pct) AS lowest_panel_pct,
    max(scorecards.panel_ship_pct) AS highest_panel_pct
FROM scorecards
SEMI JOIN shared USING (name)
GROUP BY scorecards.name
ORDER BY tools DESC, scorecards.name
LIMIT $limit::BIGINT
