-- question: How many takes has each seat, verdict, category and attribution, among those that the other filters let through?
-- topic: takes
-- parameter: words: only takes with all of these words in their text, in any form
-- parameter: seat: only takes of this seat (Builder, Skeptic, Futurist, PM, Founder, Creator, none)
-- parameter: verdict: only this verdict of the reviewer (ship, skip, none)
-- parameter: category: only tools of this category, as published or as grouped, or of no category (none)
-- parameter: attribution: only takes whose tool is known so (corrected, observed, matched, intersected, excluded, ordered)
-- parameter: score_from: only takes with at least this score, 0 to 100
-- parameter: score_to: only takes with at most this score
-- parameter: price_from: only tools whose lowest monthly price is at least this; 0: free
-- parameter: price_to: only tools whose lowest monthly price is at most this
-- picture: table
WITH said AS (
    SELECT any_value(indexed.id) AS review_id
    FROM search.terms_of($words::VARCHAR) AS terms
    INNER JOIN search.postings USING (term)
    INNER JOIN search.indexed USING (document)
    WHERE indexed.field = 'take'
    GROUP BY postings.document
    HAVING count(DISTINCT terms.asked) = len(list_distinct(search.words_of($words::VARCHAR)))
),

told AS (
    SELECT
        coalesce(reviews.seat, 'none') AS seat,
        coalesce(reviews.verdict, 'none') AS verdict,
        coalesce(tools.category_group, 'none') AS category,
        reviews.attribution,
        ($seat::VARCHAR IS NULL OR coalesce(reviews.seat, 'none') = $seat::VARCHAR) AS is_seat,
        ($verdict::VARCHAR IS NULL OR coalesce(reviews.verdict, 'none') = $verdict::VARCHAR) AS is_verdict,
        ($category::VARCHAR IS NULL OR $category::VARCHAR IN (tools.category, coalesce(tools.category_group, 'none'))) AS is_category,
        ($attribution::VARCHAR IS NULL OR reviews.attribution = $attribution::VARCHAR) AS is_attribution
    FROM reviews
    INNER JOIN tools USING (tool_id)
    WHERE
        ($words::VARCHAR IS NULL OR reviews.review_id IN (FROM said))
        AND ($score_from::DOUBLE IS NULL OR reviews.score >= $score_from::DOUBLE)
        AND ($score_to::DOUBLE IS NULL OR reviews.score <= $score_to::DOUBLE)
        AND ($price_from::DOUBLE IS NULL OR tools.cheapest_monthly >= $price_from::DOUBLE)
        AND ($price_to::DOUBLE IS NULL OR tools.cheapest_monthly <= $price_to::DOUBLE)
)

SELECT 'seat' AS facet, seat AS value, count(*) AS takes
FROM told WHERE is_verdict AND is_category AND is_attribution GROUP BY seat
UNION ALL
SELECT 'verdict', verdict, count(*)
FROM told WHERE is_seat AND is_category AND is_attribution GROUP BY verdict
UNION ALL
SELECT 'category', category, count(*)
FROM told WHERE is_seat AND is_verdict AND is_attribution GROUP BY category
UNION ALL
SELECT 'attribution', attribution, count(*)
FROM told WHERE is_seat AND is_verdict AND is_category GROUP BY attribution
ORDER BY facet, takes DESC, value
