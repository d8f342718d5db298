-- question: Which tools do pages mention, on how many pages and hosts, at what rank, price and rating?
-- topic: sites
-- parameter: words: only names that contain this
-- parameter: host: only tools on a page of this host
-- parameter: kind: only tools on a page of this kind (panel, versus, list, product)
-- parameter: panel: only tools that a panel has or has not reviewed (reviewed, not reviewed)
-- parameter: sort = pages: the order; rank: the lowest first, rating: the highest first (pages, rank, rating, name)
-- parameter: direction = usual: the order as it is, or the other way round (usual, reversed)
-- parameter: limit = 50: at most this many tools
-- parameter: offset = 0: skip this many
-- picture: table
WITH fitting AS (
    SELECT *
    FROM mentions_that_fit($words::VARCHAR, $host::VARCHAR, $kind::VARCHAR, $panel::VARCHAR)
    WHERE is_host AND is_kind AND is_panel
),

ranked AS (
    SELECT
        name_key,
        arg_max(name, (last_seen_at, page_id)) AS name,
        count(DISTINCT page_id) AS pages,
        count(DISTINCT host) AS hosts,
        min(rank) AS best_rank,
        avg(CASE WHEN kind <> 'panel' AND rating <= rating_best THEN 100 * rating / nullif(rating_best, 0) END) AS mean_rating_pct,
        count(DISTINCT page_id) FILTER (kind <> 'panel' AND rating <= rating_best) AS rated_pages,
        list_sort(list(DISTINCT price) FILTER (price IS NOT NULL)) AS prices,
        CASE WHEN count(DISTINCT tool_id) = 1 THEN min(tool_id) END AS tool_id,
        count(*) OVER () AS mentioned_found
    FROM fitting
    GROUP BY name_key
)

SELECT name, pages, hosts, best_rank, mean_rating_pct, rated_pages, prices, mentioned_found, tool_id, name_key
FROM ranked
ORDER BY
    CASE $sort::VARCHAR
        WHEN 'pages' THEN pages
        WHEN 'rating' THEN mean_rating_pct
        WHEN 'rank' THEN -best_rank
        WHEN 'name' THEN -rank() OVER (ORDER BY lower(name))
    END * if($direction::VARCHAR = 'reversed', -1, 1) DESC NULLS LAST,
    lower(name),
    name_key
LIMIT $limit::BIGINT OFFSET $offset::BIGINT
