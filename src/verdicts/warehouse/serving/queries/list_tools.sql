-- question: Which tools are there, with their scores reviewer by reviewer?
-- topic: tools
-- parameter: words: only tools whose name or slug contains this
-- parameter: category: only tools of this category, as published or as grouped, or of no category (none)
-- parameter: verdict: only this verdict of the panel (ship, mixed, skip, none)
-- parameter: entry: only this entry (Free, Paid, none)
-- parameter: reviewer: only tools that have a review of this reviewer (Builder, Skeptic, Futurist, PM, Founder, Creator, none)
-- parameter: attribution: only tools that have a review with this evidence (corrected, observed, matched, intersected, excluded, ordered)
-- parameter: score_from: only tools whose mean score is at least this, 0 to 100
-- parameter: score_to: only tools whose mean score is at most this
-- parameter: price_from: only tools whose lowest monthly price is at least this
-- parameter: price_to: only tools whose lowest monthly price is at most this; 0: with a free tier
-- parameter: sort = mean: the order, highest first; price: lowest first; changed: newest first (mean, panel, community, spread, price, changed, reviews, pages, name)
-- parameter: direction = usual: the order as it is, or the other way round (usual, reversed)
-- parameter: limit = 50: at most this many tools
-- parameter: offset = 0: skip this many
-- picture: table
WITH wanted AS (
    SELECT tools.*
    FROM tools_that_fit(
        $words::VARCHAR, $category::VARCHAR, $verdict::VARCHAR, $entry::VARCHAR, $reviewer::VARCHAR, $attribution::VARCHAR,
        $score_from::DOUBLE, $score_to::DOUBLE, $price_from::DOUBLE, $price_to::DOUBLE
    )
    INNER JOIN tools USING (tool_id)
    WHERE is_category AND is_verdict AND is_entry
),

-- A state that ended is a change.
changes AS (
    SELECT tool_id, max(valid_to) AS changed_at
    FROM (
        SELECT tool_id, valid_to FROM history.verdict_history
        UNION ALL
        SELECT tool_id, valid_to FROM history.price_history
    )
    WHERE valid_to IS NOT NULL
    GROUP BY tool_id
),

ranked AS (
    SELECT
        *,
        count(*) OVER () AS tools_found,
        CASE $sort::VARCHAR
            WHEN 'mean' THEN mean_score
            WHEN 'panel' THEN panel_ship_pct
            WHEN 'community' THEN community_pct
            WHEN 'price' THEN -cheapest_monthly
            WHEN 'changed' THEN epoch(changed_at)
            WHEN 'reviews' THEN reviews
            WHEN 'pages' THEN pages
            WHEN 'spread' THEN highest_score - lowest_score
            WHEN 'name' THEN -rank() OVER (ORDER BY lower(name))
        END * if($direction::VARCHAR = 'reversed', -1, 1) AS place
    FROM wanted
    LEFT JOIN changes USING (tool_id)
),

shown AS (
    SELECT *
    FROM ranked
    ORDER BY place DESC NULLS LAST, lower(name), tool_id
    LIMIT $limit::BIGINT OFFSET $offset::BIGINT
),

reviewers AS (
    SELECT
        reviews.tool_id,
        list(coalesce(reviews.reviewer, '?') ORDER BY reviews.score, reviews.review_id) AS reviewers,
        list(reviews.score ORDER BY reviews.score, reviews.review_id) AS scores
    FROM reviews
    SEMI JOIN shown USING (tool_id)
    WHERE reviews.is_shown AND reviews.score IS NOT NULL
    GROUP BY reviews.tool_id
)

SELECT
    shown.name,
    shown.panel_verdict,
    shown.panel_ship_pct,
    shown.community_pct,
    shown.mean_score,
    reviewers.reviewers,
    reviewers.scores,
    shown.reviews,
    shown.cheapest_monthly,
    shown.cheapest_currency,
    shown.changed_at,
    shown.pages,
    shown.category,
    shown.entry,
    shown.tools_found,
    shown.slug,
    shown.is_shared_name,
    shown.tool_id
FROM shown
LEFT JOIN reviewers USING (tool_id)
ORDER BY shown.place DESC NULLS LAST, lower(shown.name), shown.tool_id
