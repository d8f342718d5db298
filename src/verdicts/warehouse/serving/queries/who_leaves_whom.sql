-- question: Which reviews say that somebody moved from one tool to another?
-- topic: market
-- parameter: called: only moves from or to a tool of this name
-- parameter: limit = 50: at most this many pairs of tools
-- picture: bars move reviews
SELECT
    from_name || ' to ' || to_name AS move,
    from_name,
    to_name,
    count(DISTINCT review_id) AS reviews,
    avg(score) AS mean_score,
    list(words ORDER BY review_id, words)[1:3] AS words,
    min(review_id) AS review_id
FROM (SELECT DISTINCT ON (review_id, from_name, to_name) * FROM switches ORDER BY words)
WHERE $called::VARCHAR IS NULL OR lower($called::VARCHAR) IN (lower(from_name), lower(to_name))
GROUP BY from_name, to_name
ORDER BY reviews DESC, from_name, to_name
LIMIT $limit::BIGINT
