-- The takes on a page, in reading order.
SELECT position, side, reviews.seat, reviews.score, appearances.attribution, review_id AS review, appearances.text
FROM appearances
JOIN reviews USING (review_id)
WHERE page_id = :id
ORDER BY position, review_id
