-- question: Which reviews have these words, the most relevant first?
-- topic: reviews
-- parameter: words: at least one of these; without them, any reviews
-- parameter: limit = 30: at most this many reviews
-- picture: table
WITH found AS (
    SELECT relevance, name, reviewer, score, verdict, text, tool_id, review_id
    FROM search_reviews($words::VARCHAR, most := $limit::BIGINT)
    WHERE $words::VARCHAR IS NOT NULL
),

any_reviews AS (
    SELECT NULL::DOUBLE, tools.name, reviews.reviewer, reviews.score, reviews.verdict, reviews.text, tools.tool_id, reviews.review_id
    FROM reviews
    INNER JOIN tools USING (tool_id)
    WHERE reviews.is_shown AND $words::VARCHAR IS NULL
)

FROM found
UNION ALL
FROM any_reviews
ORDER BY relevance DESC, review_id
LIMIT $limit::BIGINT
