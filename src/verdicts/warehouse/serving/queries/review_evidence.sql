-- question: Why is this review attributed to its tool, the strongest reason first?
-- topic: trust
-- parameter: review: its id or the beginning of it; without it, of every review
-- parameter: limit = 50: at most this many reasons
-- picture: table
SELECT
    attribution_evidence.kind,
    attribution_evidence.weight,
    attribution_evidence.detail,
    coalesce(pages.address, pages.title) AS page,
    attribution_evidence.review_id,
    attribution_evidence.page_id
FROM attribution_evidence
INNER JOIN pages USING (page_id)
WHERE ($review::VARCHAR IS NULL OR attribution_evidence.review_id = $review::VARCHAR)
ORDER BY
    attribution_evidence.review_id,
    attribution_evidence.weight DESC,
    list_position(['corrected', 'observed', 'matched', 'intersected', 'excluded', 'ordered'], attribution_evidence.kind),
    page,
    attribution_evidence.page_id,
    attribution_evidence.detail
LIMIT $limit::BIGINT
