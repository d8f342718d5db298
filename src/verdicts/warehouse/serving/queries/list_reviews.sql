-- question: Which reviews are there, with reviewer, score, verdict and the evidence for their tool?
-- topic: reviews
-- parameter: words: only reviews with all of these words in their text, in any form
-- parameter: reviewer: only reviews of this reviewer (Builder, Skeptic, Futurist, PM, Founder, Creator, none)
-- parameter: verdict: only this verdict of the reviewer (ship, skip, none)
-- parameter: category: only tools of this category, as published or as grouped, or of no category (none)
-- parameter: attribution: only reviews with this evidence for their tool (corrected, observed, matched, intersected, excluded, ordered)
-- parameter: score_from: only reviews with at least this score, 0 to 100
-- parameter: score_to: only reviews with at most this score
-- parameter: price_from: only tools whose lowest monthly price is at least this
-- parameter: price_to: only tools whose lowest monthly price is at most this; 0: with a free tier
-- parameter: sort = newest: the order; doubtful: the least certain first (newest, highest, lowest, doubtful, name)
-- parameter: limit = 50: at most this many reviews
-- parameter: offset = 0: skip this many
-- picture: table
WITH wanted AS (
    SELECT
        review_id,
        name,
        CASE $sort::VARCHAR
            WHEN 'newest' THEN -epoch(first_seen_at::DATE)
            WHEN 'highest' THEN -score
            WHEN 'lowest' THEN score
            WHEN 'doubtful' THEN confidence
        END AS place
    FROM reviews_that_fit(
        $words::VARCHAR, $reviewer::VARCHAR, $verdict::VARCHAR, $category::VARCHAR, $attribution::VARCHAR,
        $score_from::DOUBLE, $score_to::DOUBLE, $price_from::DOUBLE, $price_to::DOUBLE
    )
    WHERE is_reviewer AND is_verdict AND is_category AND is_attribution
),

shown AS (
    SELECT *
    FROM wanted
    ORDER BY place NULLS LAST, lower(name), review_id
    LIMIT $limit::BIGINT OFFSET $offset::BIGINT
)

SELECT
    shown.name,
    reviews.reviewer,
    reviews.score,
    reviews.verdict,
    reviews.text,
    reviews.attribution,
    reviews.confidence,
    tools.slug,
    tools.category,
    tools.cheapest_monthly,
    tools.cheapest_currency,
    reviews.appearances,
    reviews.first_seen_at,
    reviews.last_seen_at,
    (SELECT count(*) FROM wanted) AS reviews_found,
    reviews.tool_id,
    reviews.review_id
FROM shown
INNER JOIN reviews USING (review_id)
INNER JOIN tools USING (tool_id)
ORDER BY shown.place NULLS LAST, lower(shown.name), shown.review_id
