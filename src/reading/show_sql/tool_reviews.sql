-- The takes on a tool.
SELECT review_id AS review, seat, score, verdict, attribution, text
FROM reviews
WHERE tool_id = :id
ORDER BY score DESC NULLS LAST, review_id
