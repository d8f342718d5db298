-- question: What does the panel say about a tool?
-- topic: takes
-- parameter: tool: its id, slug or name; without it, of every tool
-- parameter: limit = 50: at most this many takes
-- picture: strip seat+name+review_id score
WITH wanted AS (
    SELECT tool_id, name, slug
    FROM scorecards
    WHERE takes > 0 AND ($tool::VARCHAR IS NULL OR tool_id = $tool::VARCHAR)
    ORDER BY name, slug, tool_id
    LIMIT $limit::BIGINT
)

SELECT wanted.name, reviews.seat, reviews.score, reviews.verdict, reviews.text, reviews.confidence, wanted.slug, reviews.review_id
FROM wanted
INNER JOIN reviews USING (tool_id)
ORDER BY wanted.name, wanted.slug, reviews.score DESC NULLS LAST, reviews.review_id
LIMIT $limit::BIGINT
