-- Reviews that only reserved pages show.
DELETE FROM reviews
WHERE review_id NOT IN (SELECT review_id FROM appearances)
