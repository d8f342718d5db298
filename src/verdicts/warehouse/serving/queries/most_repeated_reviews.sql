-- question: Which reviews are repeated on most pages?
-- topic: reviews
-- parameter: limit = 50: at most this many reviews
-- picture: bars name+reviewer+review_id pages
WITH most_repeated AS (
    SELECT pages, wordings, name, least_similarity, review_id
    FROM evidence.duplicate_reviews
    SEMI JOIN (FROM reviews WHERE is_shown) AS shown USING (review_id)
    ORDER BY pages DESC, wordings DESC, review_id
    LIMIT $limit::BIGINT
)

SELECT
    most_repeated.pages,
    most_repeated.wordings,
    most_repeated.name,
    reviews.reviewer,
    reviews.text,
    most_repeated.least_similarity,
    most_repeated.review_id
FROM most_repeated
INNER JOIN reviews USING (review_id)
ORDER BY most_repeated.pages DESC, most_repeated.wordings DESC, most_repeated.review_id
