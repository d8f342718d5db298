-- question: How many tools has each verdict, category and entry, with the other filters?
-- topic: tools
-- filters: list_tools
-- picture: table
WITH fitting AS (
    FROM tools_that_fit(
        $words::VARCHAR, $category::VARCHAR, $verdict::VARCHAR, $entry::VARCHAR, $reviewer::VARCHAR, $attribution::VARCHAR,
        $score_from::DOUBLE, $score_to::DOUBLE, $price_from::DOUBLE, $price_to::DOUBLE
    )
)

SELECT 'verdict' AS facet, of_verdict AS value, count(*) AS tools
FROM fitting WHERE is_category AND is_entry GROUP BY of_verdict
UNION ALL
SELECT 'category', of_category, count(*)
FROM fitting WHERE is_verdict AND is_entry GROUP BY of_category
UNION ALL
SELECT 'entry', of_entry, count(*)
FROM fitting WHERE is_verdict AND is_category GROUP BY of_entry
ORDER BY facet, tools DESC, value
