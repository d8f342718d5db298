-- question: Which pages are there, of which kind, and which tools do they compare?
-- topic: market
-- parameter: words: only pages whose title or address contains this
-- parameter: kind: only pages of this kind (panel, versus, list, product, article, unread)
-- parameter: host: only pages of this host
-- parameter: verdict: only pages with a tool of this verdict of the panel (ship, mixed, skip, none)
-- parameter: category: only pages with a tool of this category, as published or as grouped, or of no category (none)
-- parameter: reviewer: only pages with a tool that has a review of this reviewer (Builder, Skeptic, Futurist, PM, Founder, Creator, none)
-- parameter: attribution: only pages with a tool that has a review with this evidence (corrected, observed, matched, intersected, excluded, ordered)
-- parameter: score_from: only pages with a tool whose mean score is at least this, 0 to 100
-- parameter: score_to: only pages with a tool whose mean score is at most this
-- parameter: price_from: only pages with a tool whose lowest monthly price is at least this
-- parameter: price_to: only pages with a tool whose lowest monthly price is at most this; 0: with a free tier
-- parameter: since = -infinity: only pages first seen from this moment on
-- parameter: sort = newest: the order; panel, mean: the largest difference first (newest, panel, mean, title)
-- parameter: direction = usual: the order as it is, or the other way round (usual, reversed)
-- parameter: limit = 50: at most this many pages
-- parameter: offset = 0: skip this many
-- picture: table
WITH fitting AS (
    SELECT matches.page_id
    FROM matches
    INNER JOIN tools_that_fit(
        NULL, $category::VARCHAR, NULL, NULL, $reviewer::VARCHAR, $attribution::VARCHAR,
        $score_from::DOUBLE, $score_to::DOUBLE, $price_from::DOUBLE, $price_to::DOUBLE
    ) USING (tool_id)
    WHERE
        coalesce(
            $verdict::VARCHAR, $category::VARCHAR, $reviewer::VARCHAR, $attribution::VARCHAR,
            $score_from::VARCHAR, $score_to::VARCHAR, $price_from::VARCHAR, $price_to::VARCHAR
        ) IS NOT NULL
        AND is_category
        AND ($verdict::VARCHAR IS NULL OR coalesce(matches.panel_verdict, 'none') = $verdict::VARCHAR)
),

wanted AS (
    SELECT
        pages.page_id,
        pages.title,
        -- Pages without tools come last.
        pages.kind IN ('article', 'unread') AS is_bare,
        CASE $sort::VARCHAR
            WHEN 'newest' THEN epoch(pages.first_seen_at::DATE)
            WHEN 'panel' THEN abs(matches.panel_margin_pct)
            WHEN 'mean' THEN abs(matches.score_margin)
            WHEN 'title' THEN -rank() OVER (ORDER BY lower(pages.title))
        END * if($direction::VARCHAR = 'reversed', -1, 1) AS place
    FROM pages
    LEFT JOIN matches ON pages.page_id = matches.page_id AND matches.side = 'a'
    WHERE
        pages.first_seen_at >= $since::TIMESTAMPTZ
        AND ($kind::VARCHAR IS NULL OR pages.kind = $kind::VARCHAR)
        AND ($host::VARCHAR IS NULL OR pages.host = $host::VARCHAR)
        AND (
            $words::VARCHAR IS NULL OR contains(lower(pages.title), lower($words::VARCHAR))
            OR contains(lower(pages.url), lower($words::VARCHAR))
        )
        AND (
            coalesce(
                $verdict::VARCHAR, $category::VARCHAR, $reviewer::VARCHAR, $attribution::VARCHAR,
                $score_from::VARCHAR, $score_to::VARCHAR, $price_from::VARCHAR, $price_to::VARCHAR
            ) IS NULL
            OR pages.page_id IN (FROM fitting)
        )
),

shown AS (
    SELECT *
    FROM wanted
    ORDER BY is_bare, place DESC NULLS LAST, lower(title), page_id
    LIMIT $limit::BIGINT OFFSET $offset::BIGINT
)

SELECT
    pages.title,
    pages.kind,
    (SELECT count(*) FROM mentions WHERE mentions.page_id = shown.page_id) AS tools,
    matches.panel_ship_pct AS panel_a_pct,
    matches.other_panel_ship_pct AS panel_b_pct,
    matches.mean_score AS mean_score_a,
    matches.scored_reviews AS scored_reviews_a,
    matches.other_mean_score AS mean_score_b,
    matches.other_scored_reviews AS scored_reviews_b,
    pages.host,
    (SELECT list(name ORDER BY tool_number) FROM mentions WHERE mentions.page_id = shown.page_id)[1:6] AS names,
    matches.name AS tool_a_name,
    matches.panel_verdict AS panel_verdict_a,
    matches.other_name AS tool_b_name,
    matches.other_panel_verdict AS panel_verdict_b,
    pages.is_gone,
    pages.first_seen_at,
    pages.last_seen_at,
    pages.address,
    (SELECT count(*) FROM wanted) AS pages_found,
    matches.tool_id AS tool_a_id,
    matches.other_tool_id AS tool_b_id,
    shown.page_id
FROM shown
INNER JOIN pages USING (page_id)
LEFT JOIN matches ON shown.page_id = matches.page_id AND matches.side = 'a'
ORDER BY shown.is_bare, shown.place DESC NULLS LAST, lower(shown.title), shown.page_id
