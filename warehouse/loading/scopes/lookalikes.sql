-- Rows of reviews of tools in reach.
SELECT lookalikes.*
FROM lookalikes
WHERE review_id IN (SELECT review_id FROM scope_reviews) OR other_id IN (SELECT review_id FROM scope_reviews)
