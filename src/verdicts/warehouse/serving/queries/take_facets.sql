-- question: How many takes has each seat, verdict, category and attribution, with the other filters?
-- topic: takes
-- filters: list_takes
-- picture: table
WITH fitting AS (
    FROM takes_that_fit(
        $words::VARCHAR, $seat::VARCHAR, $verdict::VARCHAR, $category::VARCHAR, $attribution::VARCHAR,
        $score_from::DOUBLE, $score_to::DOUBLE, $price_from::DOUBLE, $price_to::DOUBLE
    )
)

SELECT 'seat' AS facet, of_seat AS value, count(*) AS takes
FROM fitting WHERE is_verdict AND is_category AND is_attribution GROUP BY of_seat
UNION ALL
SELECT 'verdict', of_verdict, count(*)
FROM fitting WHERE is_seat AND is_category AND is_attribution GROUP BY of_verdict
UNION ALL
SELECT 'category', of_category, count(*)
FROM fitting WHERE is_seat AND is_verdict AND is_attribution GROUP BY of_category
UNION ALL
SELECT 'attribution', of_attribution, count(*)
FROM fitting WHERE is_seat AND is_verdict AND is_category GROUP BY of_attribution
ORDER BY facet, takes DESC, value
