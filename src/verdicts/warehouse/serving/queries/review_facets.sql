-- question: How many reviews has each reviewer, verdict, category and attribution, with the other filters?
-- topic: reviews
-- filters: list_reviews
-- picture: table
WITH fitting AS (
    FROM reviews_that_fit(
        $words::VARCHAR, $reviewer::VARCHAR, $verdict::VARCHAR, $category::VARCHAR, $attribution::VARCHAR,
        $score_from::DOUBLE, $score_to::DOUBLE, $price_from::DOUBLE, $price_to::DOUBLE
    )
)

SELECT 'reviewer' AS facet, of_reviewer AS value, count(*) AS reviews
FROM fitting WHERE is_verdict AND is_category AND is_attribution GROUP BY of_reviewer
UNION ALL
SELECT 'verdict', of_verdict, count(*)
FROM fitting WHERE is_reviewer AND is_category AND is_attribution GROUP BY of_verdict
UNION ALL
SELECT 'category', of_category, count(*)
FROM fitting WHERE is_reviewer AND is_verdict AND is_attribution GROUP BY of_category
UNION ALL
SELECT 'attribution', of_attribution, count(*)
FROM fitting WHERE is_reviewer AND is_verdict AND is_category GROUP BY of_attribution
ORDER BY facet, reviews DESC, value
