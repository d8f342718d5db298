-- question: What does the panel say of a tool?
-- parameter: tool: a name, or a slug; without it, of every tool
-- parameter: limit = 50: so many takes
-- picture: strip seat score
WITH wanted AS (
    SELECT tool_id, name, slug
    FROM scorecards
    WHERE takes > 0 AND ($tool::VARCHAR IS NULL OR lower(name) = lower($tool::VARCHAR) OR slug = $tool::VARCHAR)
    ORDER BY name, slug, tool_id
    LIMIT $limit::BIGINT
)

SELECT wanted.name, reviews.seat, reviews.score, reviews.verdict, reviews.text, reviews.confidence, wanted.slug, reviews.review_id
FROM wanted
INNER JOIN reviews USING (tool_id)
ORDER BY wanted.name, wanted.slug, reviews.score DESC NULLS LAST, reviews.review_id
LIMIT $limit::BIGINT
