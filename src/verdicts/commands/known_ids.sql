-- The records that a decision may name: ids that begin so, present and former ones, and wordings of reviews.
SELECT 'tool' AS kind, tool_id AS id FROM tools WHERE starts_with(tool_id, $id)
UNION
SELECT 'tool', alias_id FROM evidence.tool_aliases WHERE starts_with(alias_id, $id)
UNION
SELECT 'review', review_id FROM reviews WHERE starts_with(review_id, $id)
UNION
SELECT 'review', text_id FROM appearances WHERE starts_with(text_id, $id)
ORDER BY ALL
LIMIT 5
