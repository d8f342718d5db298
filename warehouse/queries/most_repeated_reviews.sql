-- question: Which takes are repeated on most pages?
SELECT pages, wordings, name, seat, text, least_similarity, review_id
FROM duplicate_reviews
ORDER BY pages DESC, wordings DESC, review_id
LIMIT 50
