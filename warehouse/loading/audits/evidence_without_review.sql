SELECT attribution_evidence.review_id, attribution_evidence.kind, attribution_evidence.page_id
FROM attribution_evidence
ANTI JOIN reviews USING (review_id)
