-- Which records carry an id that begins so. An id that was merged away leads to what it became.
SELECT 'review' AS kind, review_id AS id FROM reviews WHERE starts_with(review_id, :id)
UNION
SELECT 'review', review_id FROM review_aliases WHERE starts_with(old_id, :id)
UNION
SELECT 'tool', tool_id FROM tools WHERE starts_with(tool_id, :id)
UNION
SELECT 'tool', tool_id FROM tool_aliases WHERE starts_with(alias_id, :id)
UNION
SELECT 'page', page_id FROM pages WHERE starts_with(page_id, :id)
ORDER BY kind, id
LIMIT 5
