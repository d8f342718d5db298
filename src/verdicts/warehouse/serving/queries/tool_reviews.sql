-- question: What does each reviewer say about this tool, the highest score first?
-- topic: reviews
-- parameter: tool: its id, slug or name; without it, of every tool
-- parameter: limit = 50: at most this many reviews
-- picture: strip reviewer+name+review_id score
SELECT
    tools.name,
    tools.slug,
    reviews.reviewer,
    reviews.score,
    reviews.verdict,
    reviews.text,
    reviews.attribution,
    reviews.confidence,
    reviews.appearances,
    reviews.hosts,
    reviews.review_id
FROM reviews
INNER JOIN tools USING (tool_id)
WHERE reviews.is_shown AND ($tool::VARCHAR IS NULL OR reviews.tool_id = $tool::VARCHAR)
ORDER BY tools.name, tools.slug, reviews.tool_id, reviews.score DESC NULLS LAST, reviews.review_id
LIMIT $limit::BIGINT
