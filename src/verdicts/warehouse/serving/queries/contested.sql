-- question: On which tools does the panel disagree?
-- topic: disagreement
-- parameter: category: only tools of this category, as published or as grouped
-- parameter: least = 0: only tools whose smaller camp has at least this share, percent, 0 to 50
-- parameter: limit = 50: at most this many tools
-- note: a panel is small: one vote more or less is 20 to 33 points
-- picture: bars name+slug+tool_id minority_pct
SELECT
    contested_tools.name,
    round(100 * contested_tools.split, 1) AS minority_pct,
    coalesce(tools.ship_votes + tools.skip_votes, tools.reviews) AS panel_size,
    contested_tools.lowest_score,
    contested_tools.harshest_reviewer,
    contested_tools.highest_score,
    contested_tools.keenest_reviewer,
    contested_tools.panel_ship_pct,
    contested_tools.ship_reviews,
    contested_tools.skip_reviews,
    contested_tools.category,
    tools.slug,
    tools.is_shared_name,
    contested_tools.tool_id
FROM contested_tools
INNER JOIN tools USING (tool_id)
WHERE
    ($category::VARCHAR IS NULL OR $category::VARCHAR IN (contested_tools.category, contested_tools.category_group))
    AND round(100 * contested_tools.split, 1) >= $least::DOUBLE
ORDER BY
    contested_tools.split DESC,
    contested_tools.score_spread DESC NULLS LAST,
    contested_tools.name,
    contested_tools.tool_id
LIMIT $limit::BIGINT
