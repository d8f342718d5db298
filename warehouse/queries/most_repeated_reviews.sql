-- question: Which takes are repeated on most pages?
-- parameter: limit = 50: so many takes
SELECT pages, wordings, name, seat, text, least_similarity, review_id
FROM duplicate_reviews
ORDER BY pages DESC, wordings DESC, review_id
LIMIT $limit::BIGINT
