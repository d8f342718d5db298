-- question: Which tools of one category are compared by no page, the best pairs first?
-- topic: market
-- parameter: category: only this category, as published or as grouped
-- parameter: tool: only pairs with this tool
-- parameter: most = 30: only pairs among the tools with the most reviews of each category
-- parameter: limit = 50: at most this many pairs
-- picture: table
WITH ranked AS (
    SELECT *
    FROM tools
    WHERE category_group IS NOT NULL AND ($category::VARCHAR IS NULL OR $category::VARCHAR IN (category, category_group))
    QUALIFY
        row_number() OVER (PARTITION BY category_group ORDER BY reviews DESC, pages DESC, tool_id) <= $most::BIGINT
        OR tool_id = $tool::VARCHAR
)

SELECT
    one.name,
    other.name AS other_name,
    one.category_group,
    one.mean_score,
    one.scored_reviews,
    other.mean_score AS other_mean_score,
    other.scored_reviews AS other_scored_reviews,
    one.panel_ship_pct,
    other.panel_ship_pct AS other_panel_ship_pct,
    one.slug,
    one.is_shared_name,
    other.slug AS other_slug,
    other.is_shared_name AS other_is_shared_name,
    one.tool_id,
    other.tool_id AS other_tool_id
FROM ranked AS one
INNER JOIN ranked AS other
    ON one.category_group = other.category_group
    AND (coalesce(one.mean_score, -1), one.tool_id) > (coalesce(other.mean_score, -1), other.tool_id)
ANTI JOIN matches AS met ON one.tool_id = met.tool_id AND other.tool_id = met.other_tool_id
WHERE $tool::VARCHAR IS NULL OR $tool::VARCHAR IN (one.tool_id, other.tool_id)
ORDER BY one.mean_score + other.mean_score DESC NULLS LAST, one.name, other.name, one.tool_id, other.tool_id
LIMIT $limit::BIGINT
