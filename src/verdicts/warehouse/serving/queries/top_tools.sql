-- question: Which tools have the highest mean score?
-- topic: tools
-- parameter: category: only tools of this category, as published or as grouped
-- parameter: least = 1: only tools with at least this many reviews with a score
-- parameter: limit = 8: at most this many tools
-- picture: bars name+slug+tool_id mean_score
SELECT name, slug, is_shared_name, category, mean_score, lowest_score, highest_score, scored_reviews, panel_verdict, panel_ship_pct, tool_id
FROM tools
WHERE
    scored_reviews >= greatest($least::BIGINT, 1)
    AND ($category::VARCHAR IS NULL OR $category::VARCHAR IN (category, category_group))
ORDER BY mean_score DESC, name, tool_id
LIMIT $limit::BIGINT
