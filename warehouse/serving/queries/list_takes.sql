-- question: Which takes are there, of which seat, score and verdict, and how is the tool of each known?
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
-- parameter: sort = newest: what comes first; doubtful: the least certain (newest, highest, lowest, doubtful, name)
-- parameter: limit = 50: at most this many takes
-- parameter: offset = 0: skip this many
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

wanted AS (
    SELECT
        reviews.review_id,
        tools.name,
        CASE $sort::VARCHAR
            WHEN 'newest' THEN -epoch(reviews.first_seen_at::DATE)
            WHEN 'highest' THEN -reviews.score
            WHEN 'lowest' THEN reviews.score
            WHEN 'doubtful' THEN reviews.confidence
        END AS place
    FROM reviews
    INNER JOIN tools USING (tool_id)
    WHERE
        ($words::VARCHAR IS NULL OR reviews.review_id IN (FROM said))
        AND ($seat::VARCHAR IS NULL OR coalesce(reviews.seat, 'none') = $seat::VARCHAR)
        AND ($verdict::VARCHAR IS NULL OR coalesce(reviews.verdict, 'none') = $verdict::VARCHAR)
        AND ($category::VARCHAR IS NULL OR $category::VARCHAR IN (tools.category, coalesce(tools.category_group, 'none')))
        AND ($attribution::VARCHAR IS NULL OR reviews.attribution = $attribution::VARCHAR)
        AND ($score_from::DOUBLE IS NULL OR reviews.score >= $score_from::DOUBLE)
        AND ($score_to::DOUBLE IS NULL OR reviews.score <= $score_to::DOUBLE)
        AND ($price_from::DOUBLE IS NULL OR tools.cheapest_monthly >= $price_from::DOUBLE)
        AND ($price_to::DOUBLE IS NULL OR tools.cheapest_monthly <= $price_to::DOUBLE)
),

shown AS (
    SELECT *
    FROM wanted
    ORDER BY place NULLS LAST, lower(name), review_id
    LIMIT $limit::BIGINT OFFSET $offset::BIGINT
)

SELECT
    shown.name,
    tools.slug,
    tools.category,
    reviews.seat,
    reviews.score,
    reviews.verdict,
    reviews.text,
    reviews.attribution,
    reviews.confidence,
    tools.cheapest_monthly,
    tools.cheapest_currency,
    reviews.appearances,
    reviews.first_seen_at,
    reviews.last_seen_at,
    (SELECT count(*) FROM wanted) AS takes_found,
    reviews.tool_id,
    reviews.review_id
FROM shown
INNER JOIN reviews USING (review_id)
INNER JOIN tools USING (tool_id)
ORDER BY shown.place NULLS LAST, lower(shown.name), shown.review_id
