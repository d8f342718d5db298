-- Rows of reviews of tools in reach.
SELECT appearances.* FROM appearances WHERE review_id IN (SELECT review_id FROM scope_reviews)
