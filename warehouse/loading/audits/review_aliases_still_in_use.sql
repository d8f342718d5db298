SELECT review_aliases.old_id, review_aliases.review_id
FROM review_aliases
SEMI JOIN reviews ON review_aliases.old_id = reviews.review_id
