-- Rows of reviews of tools in reach.
SELECT attribution_evidence.* FROM attribution_evidence WHERE review_id IN (SELECT review_id FROM scope_reviews)
