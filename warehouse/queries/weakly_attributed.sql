-- question: Which takes rest on weak evidence for their tool?
SELECT tools.name, reviews.attribution, reviews.confidence, reviews.appearances, reviews.text, reviews.review_id
FROM reviews
INNER JOIN tools USING (tool_id)
WHERE reviews.attribution = 'ordered' OR reviews.confidence < 0.8
ORDER BY reviews.confidence, tools.name, reviews.review_id
