-- question: Which names belong to more than one tool?
SELECT
    name,
    count(*) AS tools,
    list(coalesce(slug, tool_id) ORDER BY slug, tool_id) AS tools_by_slug,
    min(panel_ship_pct) AS lowest_panel_pct,
    max(panel_ship_pct) AS highest_panel_pct
FROM scorecards
GROUP BY name
HAVING count(*) > 1
ORDER BY tools DESC, name
