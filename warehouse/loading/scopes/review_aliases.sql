-- Rows of reviews of tools in reach.
SELECT review_aliases.* FROM review_aliases WHERE review_id IN (SELECT review_id FROM scope_reviews)
