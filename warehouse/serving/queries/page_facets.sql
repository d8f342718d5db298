-- question: How many comparison pages has each verdict and category, among those that the other filters let through?
-- topic: market
-- parameter: words: only pages whose title or address contains this
-- parameter: verdict: only pages with a tool of this verdict of the panel (ship, mixed, skip, none)
-- parameter: category: only pages with a tool of this category, as published or as grouped, or of no category (none)
-- parameter: seat: only pages with a tool that has a take of this seat (Builder, Skeptic, Futurist, PM, Founder, Creator, none)
-- parameter: attribution: only pages with a tool that has a take known so (corrected, observed, matched, intersected, excluded, ordered)
-- parameter: score_from: only pages with a tool whose mean score is at least this, 0 to 100
-- parameter: score_to: only pages with a tool whose mean score is at most this
-- parameter: price_from: only pages with a tool whose lowest monthly price is at least this; 0: free
-- parameter: price_to: only pages with a tool whose lowest monthly price is at most this
-- picture: table
WITH telling AS (
    SELECT tool_id
    FROM reviews
    WHERE
        ($seat::VARCHAR IS NULL OR coalesce(seat, 'none') = $seat::VARCHAR)
        AND ($attribution::VARCHAR IS NULL OR attribution = $attribution::VARCHAR)
),

told AS (
    SELECT
        -- Numbers are counted a quarter faster than ids.
        hash(tool_matches.page_id) AS page,
        coalesce(tool_matches.verdict, 'none') AS verdict,
        coalesce(tools.category_group, 'none') AS category,
        ($verdict::VARCHAR IS NULL OR coalesce(tool_matches.verdict, 'none') = $verdict::VARCHAR) AS is_verdict,
        ($category::VARCHAR IS NULL OR $category::VARCHAR IN (tools.category, coalesce(tools.category_group, 'none'))) AS is_category
    FROM tool_matches
    INNER JOIN tools USING (tool_id)
    WHERE
        (
            $words::VARCHAR IS NULL OR tool_matches.page_id IN (
                SELECT page_id FROM pages
                WHERE contains(lower(title), lower($words::VARCHAR)) OR contains(lower(url), lower($words::VARCHAR))
            )
        )
        AND ($score_from::DOUBLE IS NULL OR tools.mean_score >= $score_from::DOUBLE)
        AND ($score_to::DOUBLE IS NULL OR tools.mean_score <= $score_to::DOUBLE)
        AND ($price_from::DOUBLE IS NULL OR tools.cheapest_monthly >= $price_from::DOUBLE)
        AND ($price_to::DOUBLE IS NULL OR tools.cheapest_monthly <= $price_to::DOUBLE)
        AND (coalesce($seat::VARCHAR, $attribution::VARCHAR) IS NULL OR tools.tool_id IN (FROM telling))
)

SELECT 'verdict' AS facet, verdict AS value, count(DISTINCT page) AS pages
FROM told WHERE is_category GROUP BY verdict
UNION ALL
SELECT 'category', category, count(DISTINCT page)
FROM told WHERE is_verdict GROUP BY category
ORDER BY facet, pages DESC, value
