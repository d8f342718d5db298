-- The most relevant reviews with at least one word of the phrase in their text or in the name of their tool (BM25).
CREATE OR REPLACE MACRO search_reviews(phrase, most := 100) AS TABLE
SELECT
    best.relevance,
    tools.name,
    reviews.reviewer,
    reviews.score,
    reviews.verdict,
    reviews.text,
    reviews.review_id,
    reviews.tool_id
FROM search.best_of(phrase, most) AS best
INNER JOIN reviews ON best.id = reviews.review_id
INNER JOIN tools USING (tool_id)
WHERE best.kind = 'review'
ORDER BY best.relevance DESC, reviews.review_id;
