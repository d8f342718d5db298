-- Why the review is this tool's.
SELECT kind AS because, detail AS evidence
FROM attribution_evidence
WHERE review_id = :id
ORDER BY list_position(['observed', 'matched', 'intersected', 'excluded', 'ordered'], kind), page_id
