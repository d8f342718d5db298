-- The words of documents from $first on.
WITH said AS (
    SELECT search_reviews.document, unnest(internal.words_of(reviews.text)) AS word
    FROM internal.search_reviews
    INNER JOIN reviews USING (review_id)
    WHERE search_reviews.document >= $first::BIGINT
)

SELECT word, document, count(*) AS occurrences
FROM said
GROUP BY word, document
ORDER BY word, document
