-- question: Which reviews are similar but not merged?
-- topic: trust
-- parameter: limit = 50: at most this many pairs
-- picture: table
WITH pairs AS (
    SELECT review_id, other_review_id, similarity
    FROM evidence.lookalikes
    ORDER BY similarity DESC, review_id, other_review_id
    LIMIT $limit::BIGINT
)

SELECT
    pairs.similarity,
    one_tool.name,
    one.reviewer,
    one.text,
    other_tool.name AS other_name,
    other.reviewer AS other_reviewer,
    other.text AS other_text,
    pairs.review_id,
    pairs.other_review_id
FROM pairs
INNER JOIN reviews AS one ON pairs.review_id = one.review_id
INNER JOIN tools AS one_tool ON one.tool_id = one_tool.tool_id
INNER JOIN reviews AS other ON pairs.other_review_id = other.review_id
INNER JOIN tools AS other_tool ON other.tool_id = other_tool.tool_id
ORDER BY pairs.similarity DESC, pairs.review_id, pairs.other_review_id
