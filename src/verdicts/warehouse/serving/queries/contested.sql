-- question: On which tools does the panel disagree?
-- topic: disagreement
-- parameter: category: only tools of this category, as published or as grouped
-- parameter: least = 0: only tools whose smaller camp has this share, 0-0.5
-- parameter: limit = 50: at most this many tools
-- picture: bars name+slug+tool_id split
SELECT
    contested_tools.name,
    contested_tools.category,
    contested_tools.split,
    contested_tools.panel_ship_pct,
    contested_tools.ship_reviews,
    contested_tools.skip_reviews,
    contested_tools.lowest_score,
    contested_tools.harshest_reviewer,
    contested_tools.highest_score,
    contested_tools.keenest_reviewer,
    contested_tools.tool_id,
    tools.slug,
    tools.is_shared_name
FROM contested_tools
INNER JOIN tools USING (tool_id)
WHERE
    ($category::VARCHAR IS NULL OR $category::VARCHAR IN (contested_tools.category, contested_tools.category_group))
    AND contested_tools.split >= $least::DOUBLE
ORDER BY
    contested_tools.split DESC,
    contested_tools.score_spread DESC NULLS LAST,
    contested_tools.name,
    contested_tools.tool_id
LIMIT $limit::BIGINT
