-- question: Which takes have these words, the most relevant first?
-- topic: takes
-- parameter: words: at least one of these; without them, any takes
-- parameter: limit = 30: at most this many takes
-- picture: table
WITH found AS (
    SELECT relevance, name, seat, score, verdict, text, tool_id, review_id
    FROM search_reviews($words::VARCHAR, most := $limit::BIGINT)
    WHERE $words::VARCHAR IS NOT NULL
),

any_takes AS (
    SELECT NULL::DOUBLE, tools.name, reviews.seat, reviews.score, reviews.verdict, reviews.text, tools.tool_id, reviews.review_id
    FROM reviews
    INNER JOIN tools USING (tool_id)
    WHERE reviews.is_shown AND $words::VARCHAR IS NULL
)

FROM found
UNION ALL
FROM any_takes
ORDER BY relevance DESC, review_id
LIMIT $limit::BIGINT
