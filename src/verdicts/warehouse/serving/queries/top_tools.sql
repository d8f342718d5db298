-- question: Which tools have the highest mean score?
-- topic: tools
-- parameter: category: only tools of this category, as published or as grouped
-- parameter: least = 1: only tools with at least this many reviews with a score
-- parameter: limit = 8: at most this many tools
-- note: tools whose intervals (95 %) overlap may be equally good
-- picture: bars name+slug+tool_id mean_score
WITH spread AS (
    SELECT tool_id, round(stddev_samp(score), 6) AS deviation
    FROM scored_reviews
    GROUP BY tool_id
)

SELECT
    tools.name,
    tools.mean_score,
    round(mean_end(tools.mean_score, spread.deviation, tools.scored_reviews, -1), 1) AS mean_from,
    round(mean_end(tools.mean_score, spread.deviation, tools.scored_reviews, 1), 1) AS mean_to,
    tools.scored_reviews,
    tools.panel_verdict,
    tools.panel_ship_pct,
    tools.category,
    tools.slug,
    tools.is_shared_name,
    tools.tool_id
FROM tools
INNER JOIN spread USING (tool_id)
WHERE
    tools.scored_reviews >= $least::BIGINT
    AND ($category::VARCHAR IS NULL OR $category::VARCHAR IN (tools.category, tools.category_group))
ORDER BY tools.mean_score DESC, tools.name, tools.tool_id
LIMIT $limit::BIGINT
