-- question: Which tools are there, with their scores seat by seat?
-- topic: tools
-- parameter: words: only tools whose name or slug contains this
-- parameter: category: only tools of this category, as published or as grouped
-- parameter: verdict: only this verdict of the panel: ship, mixed, skip, none
-- parameter: entry: only this entry: Free, Paid
-- parameter: sort = mean: highest mean, panel, spread, takes or pages first, or name
-- parameter: limit = 50: at most this many tools
-- parameter: offset = 0: skip this many
-- picture: table
WITH wanted AS (
    SELECT *
    FROM scorecards
    WHERE
        (
            $words::VARCHAR IS NULL OR contains(lower(name), lower($words::VARCHAR))
            OR contains(slug, lower($words::VARCHAR))
        )
        AND ($category::VARCHAR IS NULL OR $category::VARCHAR IN (category, category_group))
        AND ($verdict::VARCHAR IS NULL OR coalesce(verdict, 'none') = $verdict::VARCHAR)
        AND ($entry::VARCHAR IS NULL OR entry = $entry::VARCHAR)
),

ranked AS (
    SELECT
        *,
        count(*) OVER () AS tools_found,
        CASE $sort::VARCHAR
            WHEN 'mean' THEN mean_score
            WHEN 'panel' THEN panel_ship_pct
            WHEN 'takes' THEN takes
            WHEN 'pages' THEN pages
            WHEN 'spread' THEN highest_score - lowest_score
        END AS place
    FROM wanted
),

shown AS (
    SELECT *
    FROM ranked
    ORDER BY place DESC NULLS LAST, lower(name), tool_id
    LIMIT $limit::BIGINT OFFSET $offset::BIGINT
),

seats AS (
    SELECT
        reviews.tool_id,
        list(coalesce(reviews.seat, '?') ORDER BY reviews.score, reviews.review_id) AS seats,
        list(reviews.score ORDER BY reviews.score, reviews.review_id) AS scores
    FROM reviews
    SEMI JOIN shown USING (tool_id)
    WHERE reviews.score IS NOT NULL
    GROUP BY reviews.tool_id
)

SELECT
    shown.name,
    shown.slug,
    shown.is_shared_name,
    shown.category,
    shown.verdict,
    shown.panel_ship_pct,
    shown.mean_score,
    seats.seats,
    seats.scores,
    shown.takes,
    shown.pages,
    shown.entry,
    shown.tools_found,
    shown.tool_id
FROM shown
LEFT JOIN seats USING (tool_id)
ORDER BY shown.place DESC NULLS LAST, lower(shown.name), shown.tool_id
