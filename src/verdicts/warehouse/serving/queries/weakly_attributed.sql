-- question: Which reviews have weak evidence for their tool?
-- topic: trust
-- parameter: below = 0.8: reviews with less confidence than this count as weak, and all reviews with only the order of rows as evidence
-- parameter: limit = 50: at most this many reviews
-- picture: table
SELECT tools.name, reviews.text, reviews.attribution, reviews.confidence, reviews.appearances, reviews.review_id
FROM reviews
INNER JOIN tools USING (tool_id)
WHERE reviews.is_shown AND (reviews.attribution = 'ordered' OR reviews.confidence < $below::DOUBLE)
ORDER BY reviews.confidence, tools.name, reviews.review_id
LIMIT $limit::BIGINT
