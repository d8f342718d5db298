-- question: How many tools has each verdict, category and entry, with the other filters?
-- topic: tools
-- parameter: words: only tools whose name or slug contains this
-- parameter: category: only tools of this category, as published or as grouped, or of no category (none)
-- parameter: verdict: only this verdict of the panel (ship, mixed, skip, none)
-- parameter: entry: only this entry (Free, Paid, none)
-- parameter: seat: only tools that have a take of this seat (Builder, Skeptic, Futurist, PM, Founder, Creator, none)
-- parameter: attribution: only tools that have a take with this evidence (corrected, observed, matched, intersected, excluded, ordered)
-- parameter: score_from: only tools whose mean score is at least this, 0 to 100
-- parameter: score_to: only tools whose mean score is at most this
-- parameter: price_from: only tools whose lowest monthly price is at least this; 0: free
-- parameter: price_to: only tools whose lowest monthly price is at most this
-- picture: table
WITH fitting AS (
    FROM tools_that_fit(
        $words::VARCHAR, $category::VARCHAR, $verdict::VARCHAR, $entry::VARCHAR, $seat::VARCHAR, $attribution::VARCHAR,
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
