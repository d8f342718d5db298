-- Why the review is this tool's, the strongest reason first.
SELECT
    attribution_evidence.kind AS because,
    attribution_evidence.detail AS evidence,
    attribution_evidence.weight,
    coalesce(pages.url, pages.title) AS page
FROM attribution_evidence
JOIN pages USING (page_id)
WHERE review_id = :id
ORDER BY weight DESC, list_position(['observed', 'matched', 'intersected', 'excluded', 'ordered'], kind), page
