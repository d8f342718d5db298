-- question: What does the panel say of a tool?
-- parameter: tool: a name, or a slug; without it, of every tool
-- parameter: limit = 50: so many takes
SELECT tools.name, reviews.seat, reviews.score, reviews.verdict, reviews.text, reviews.confidence, tools.slug, reviews.review_id
FROM reviews
INNER JOIN tools USING (tool_id)
WHERE $tool::VARCHAR IS NULL OR lower(tools.name) = lower($tool::VARCHAR) OR tools.slug = $tool::VARCHAR
ORDER BY tools.name, tools.slug, reviews.score DESC NULLS LAST, reviews.review_id
LIMIT $limit::BIGINT
