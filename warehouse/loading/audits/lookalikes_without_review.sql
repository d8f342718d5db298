SELECT lookalikes.review_id, lookalikes.other_id
FROM lookalikes
WHERE lookalikes.review_id NOT IN (SELECT review_id FROM reviews)
    OR lookalikes.other_id NOT IN (SELECT review_id FROM reviews)
