WITH counted AS (
    SELECT review_id, count(*) AS found
    FROM appearances
    GROUP BY review_id
)

SELECT reviews.review_id, reviews.appearances, coalesce(counted.found, 0) AS found
FROM reviews
LEFT JOIN counted USING (review_id)
WHERE reviews.appearances <> coalesce(counted.found, 0)
