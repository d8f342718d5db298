-- The attribution of a review is the strongest among its appearances.
WITH strengths AS (
    SELECT
        review_id,
        min(list_position(['corrected', 'observed', 'matched', 'intersected', 'excluded', 'ordered'], attribution)) AS strongest
    FROM appearances
    GROUP BY review_id
)

SELECT
    reviews.review_id,
    reviews.attribution,
    ['corrected', 'observed', 'matched', 'intersected', 'excluded', 'ordered'][strengths.strongest] AS strongest
FROM reviews
INNER JOIN strengths USING (review_id)
WHERE list_position(['corrected', 'observed', 'matched', 'intersected', 'excluded', 'ordered'], reviews.attribution) <> strengths.strongest
