SELECT review_aliases.old_id, review_aliases.review_id
FROM review_aliases
ANTI JOIN reviews USING (review_id)
