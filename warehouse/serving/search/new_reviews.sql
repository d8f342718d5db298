-- Reviews that are not in the index, each with a number of its own, in an order that does not depend on the load.
SELECT
    row_number() OVER (ORDER BY review_id) + (SELECT coalesce(max(document), -1) FROM internal.search_reviews) AS document,
    review_id,
    len(internal.words_of(text)) AS words,
    hash(text) AS text_hash
FROM reviews
ANTI JOIN internal.search_reviews USING (review_id)
