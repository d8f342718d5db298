-- question: How do the tools with the most matches do against each other, by the votes of the panel?
-- topic: market
-- parameter: category: only tools of this category, as published or as grouped
-- parameter: tools = 8: number of tools
-- picture: table
WITH shown AS (
    SELECT matches.tool_id, tools.name, count(*) AS matches
    FROM matches
    INNER JOIN tools USING (tool_id)
    WHERE
        matches.panel_result IS NOT NULL
        AND ($category::VARCHAR IS NULL OR $category::VARCHAR IN (tools.category, tools.category_group))
    GROUP BY matches.tool_id, tools.name
    ORDER BY matches DESC, matches.tool_id
    LIMIT $tools::BIGINT
)

SELECT
    shown.name,
    other.name AS other_name,
    avg(matches.panel_margin_pct) AS margin,
    count(*) AS pages,
    min(matches.page_id) AS page_id,
    shown.matches,
    tools.slug,
    tools.is_shared_name,
    shown.tool_id,
    other.tool_id AS other_tool_id
FROM matches
INNER JOIN shown USING (tool_id)
INNER JOIN shown AS other ON matches.other_tool_id = other.tool_id
INNER JOIN tools ON shown.tool_id = tools.tool_id
WHERE matches.panel_result IS NOT NULL
GROUP BY ALL
ORDER BY shown.name, shown.tool_id, other.name, other.tool_id
