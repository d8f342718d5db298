-- question: How many takes has each seat, verdict, category and attribution, with the other filters?
-- topic: takes
-- parameter: words: only takes with all of these words in their text, in any form
-- parameter: seat: only takes of this seat (Builder, Skeptic, Futurist, PM, Founder, Creator, none)
-- parameter: verdict: only this verdict of the reviewer (ship, skip, none)
-- parameter: category: only tools of this category, as published or as grouped, or of no category (none)
-- parameter: attribution: only takes with this evidence for their tool (corrected, observed, matched, intersected, excluded, ordered)
-- parameter: score_from: only takes with at least this score, 0 to 100
-- parameter: score_to: only takes with at most this score
-- parameter: price_from: only tools whose lowest monthly price is at least this; 0: free
-- parameter: price_to: only tools whose lowest monthly price is at most this
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
