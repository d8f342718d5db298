-- The words of a review as each page has them, those of the review itself first.
SELECT
    appearances.text,
    reviews.text AS review_text,
    any_value(appearances.match) AS match,
    any_value(round(appearances.similarity, 3)) AS similarity,
    count(DISTINCT appearances.page_id) AS pages
FROM appearances
JOIN reviews USING (review_id)
WHERE review_id = :id
GROUP BY appearances.text, reviews.text
ORDER BY appearances.text <> reviews.text, pages DESC, appearances.text
