-- Documents of the index whose review is gone, or says something else.
SELECT search_reviews.document
FROM internal.search_reviews
LEFT JOIN reviews USING (review_id)
WHERE reviews.text IS NULL OR hash(reviews.text) <> search_reviews.text_hash
