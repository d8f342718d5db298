-- question: How many tools has each verdict, category and entry, among those that the other filters let through?
-- topic: tools
-- parameter: words: only tools whose name or slug contains this
-- parameter: category: only tools of this category, as published or as grouped, or of no category (none)
-- parameter: verdict: only this verdict of the panel (ship, mixed, skip, none)
-- parameter: entry: only this entry (Free, Paid, none)
-- parameter: seat: only tools that have a take of this seat (Builder, Skeptic, Futurist, PM, Founder, Creator, none)
-- parameter: attribution: only tools that have a take known so (corrected, observed, matched, intersected, excluded, ordered)
-- parameter: score_from: only tools whose mean score is at least this, 0 to 100
-- parameter: score_to: only tools whose mean score is at most this
-- parameter: price_from: only tools whose lowest monthly price is at least this; 0: free
-- parameter: price_to: only tools whose lowest monthly price is at most this
-- picture: table
WITH telling AS (
    SELECT tool_id
    FROM reviews
    WHERE
        coalesce($seat::VARCHAR, $attribution::VARCHAR) IS NOT NULL
        AND ($seat::VARCHAR IS NULL OR coalesce(seat, 'none') = $seat::VARCHAR)
        AND ($attribution::VARCHAR IS NULL OR attribution = $attribution::VARCHAR)
),

told AS (
    SELECT
        coalesce(scorecards.verdict, 'none') AS verdict,
        coalesce(scorecards.category_group, 'none') AS category,
        coalesce(scorecards.entry, 'none') AS entry,
        ($verdict::VARCHAR IS NULL OR coalesce(scorecards.verdict, 'none') = $verdict::VARCHAR) AS is_verdict,
        ($category::VARCHAR IS NULL OR $category::VARCHAR IN (scorecards.category, coalesce(scorecards.category_group, 'none'))) AS is_category,
        ($entry::VARCHAR IS NULL OR coalesce(scorecards.entry, 'none') = $entry::VARCHAR) AS is_entry
    FROM scorecards
    INNER JOIN tools USING (tool_id)
    WHERE
        (
            $words::VARCHAR IS NULL OR contains(lower(scorecards.name), lower($words::VARCHAR))
            OR contains(scorecards.slug, lower($words::VARCHAR))
        )
        AND ($score_from::DOUBLE IS NULL OR scorecards.mean_score >= $score_from::DOUBLE)
        AND ($score_to::DOUBLE IS NULL OR scorecards.mean_score <= $score_to::DOUBLE)
        AND ($price_from::DOUBLE IS NULL OR tools.cheapest_monthly >= $price_from::DOUBLE)
        AND ($price_to::DOUBLE IS NULL OR tools.cheapest_monthly <= $price_to::DOUBLE)
        AND (coalesce($seat::VARCHAR, $attribution::VARCHAR) IS NULL OR tools.tool_id IN (FROM telling))
)

SELECT 'verdict' AS facet, verdict AS value, count(*) AS tools
FROM told WHERE is_category AND is_entry GROUP BY verdict
UNION ALL
SELECT 'category', category, count(*)
FROM told WHERE is_verdict AND is_entry GROUP BY category
UNION ALL
SELECT 'entry', entry, count(*)
FROM told WHERE is_verdict AND is_category GROUP BY entry
ORDER BY facet, tools DESC, value
