-- question: Which takes have these words, the most relevant first?
-- parameter: words: at least one of these
-- parameter: limit = 30: so many takes
-- picture: table
SELECT relevance, name, seat, score, verdict, text, tool_id, review_id
FROM search_reviews($words::VARCHAR, most := $limit::BIGINT)
WHERE $words::VARCHAR IS NOT NULL
ORDER BY relevance DESC, review_id
