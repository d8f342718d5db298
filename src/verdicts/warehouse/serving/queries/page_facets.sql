-- question: How many comparison pages has each verdict and category, with the other filters?
-- topic: market
-- filters: list_pages
-- picture: table
WITH fitting AS (
    SELECT
        -- Numbers are counted a quarter faster than ids.
        hash(tool_matches.page_id) AS page,
        coalesce(tool_matches.panel_verdict, 'none') AS of_verdict,
        tools.of_category,
        $verdict::VARCHAR IS NULL OR coalesce(tool_matches.panel_verdict, 'none') = $verdict::VARCHAR AS is_verdict,
        tools.is_category
    FROM tool_matches
    INNER JOIN tools_that_fit(
        NULL, $category::VARCHAR, NULL, NULL, $reviewer::VARCHAR, $attribution::VARCHAR,
        $score_from::DOUBLE, $score_to::DOUBLE, $price_from::DOUBLE, $price_to::DOUBLE
    ) AS tools USING (tool_id)
    WHERE
        $words::VARCHAR IS NULL OR tool_matches.page_id IN (
            SELECT page_id FROM pages
            WHERE contains(lower(title), lower($words::VARCHAR)) OR contains(lower(url), lower($words::VARCHAR))
        )
)

SELECT 'verdict' AS facet, of_verdict AS value, count(DISTINCT page) AS pages
FROM fitting WHERE is_category GROUP BY of_verdict
UNION ALL
SELECT 'category', of_category, count(DISTINCT page)
FROM fitting WHERE is_verdict GROUP BY of_category
ORDER BY facet, pages DESC, value
