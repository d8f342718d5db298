-- question: How many comparison pages has each verdict and category, with the other filters?
-- topic: market
-- parameter: words: only pages whose title or address contains this
-- parameter: verdict: only pages with a tool of this verdict of the panel (ship, mixed, skip, none)
-- parameter: category: only pages with a tool of this category, as published or as grouped, or of no category (none)
-- parameter: seat: only pages with a tool that has a take of this seat (Builder, Skeptic, Futurist, PM, Founder, Creator, none)
-- parameter: attribution: only pages with a tool that has a take with this evidence (corrected, observed, matched, intersected, excluded, ordered)
-- parameter: score_from: only pages with a tool whose mean score is at least this, 0 to 100
-- parameter: score_to: only pages with a tool whose mean score is at most this
-- parameter: price_from: only pages with a tool whose lowest monthly price is at least this; 0: free
-- parameter: price_to: only pages with a tool whose lowest monthly price is at most this
-- picture: table
WITH fitting AS (
    SELECT
        -- Numbers are counted a quarter faster than ids.
        hash(tool_matches.page_id) AS page,
        coalesce(tool_matches.verdict, 'none') AS of_verdict,
        tools.of_category,
        $verdict::VARCHAR IS NULL OR coalesce(tool_matches.verdict, 'none') = $verdict::VARCHAR AS is_verdict,
        tools.is_category
    FROM tool_matches
    INNER JOIN tools_that_fit(
        NULL, $category::VARCHAR, NULL, NULL, $seat::VARCHAR, $attribution::VARCHAR,
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
