SELECT attribution_evidence.review_id, attribution_evidence.kind, attribution_evidence.page_id
FROM attribution_evidence
ANTI JOIN pages USING (page_id)
