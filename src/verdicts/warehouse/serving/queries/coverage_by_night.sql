-- question: What did each night fetch from each host, without robots.txt and sitemaps, and how much was new?
-- topic: crawl
-- parameter: host: only this host
-- parameter: nights = 30: only the last nights
-- picture: lines started_at addresses
WITH nights AS (
    SELECT crawl_id, started_at, coalesce(finished_at, 'infinity') AS finished_at
    FROM ops.crawls
    ORDER BY started_at DESC, crawl_id DESC
    LIMIT $nights::BIGINT
),

-- urn:sha256:... has no host.
attempts AS (
    SELECT
        fetches.crawl_id,
        nullif(lower(regexp_extract(fetches.url, '^[a-z]+://([^/?#]+)', 1)), '') AS host,
        fetches.url,
        fetches.outcome,
        fetches.status_code
    FROM ops.fetches
    SEMI JOIN nights USING (crawl_id)
    WHERE fetches.outcome <> 'support'
),

seen AS (
    SELECT
        crawl_id,
        host,
        count(DISTINCT url) AS addresses,
        count(DISTINCT url) FILTER (WHERE outcome = 'stored') AS stored,
        count(DISTINCT url) FILTER (WHERE outcome = 'unchanged') AS unchanged,
        count(DISTINCT url) FILTER (WHERE outcome NOT IN ('stored', 'unchanged')) AS otherwise
    FROM attempts
    GROUP BY crawl_id, host
),

new_pages AS (
    SELECT nights.crawl_id, pages.host, count(*) AS pages
    FROM pages
    INNER JOIN nights ON pages.first_seen_at BETWEEN nights.started_at AND nights.finished_at
    GROUP BY nights.crawl_id, pages.host
)

SELECT
    nights.started_at,
    seen.host,
    seen.addresses,
    seen.stored,
    seen.unchanged,
    seen.otherwise,
    coalesce(new_pages.pages, 0) AS new_pages,
    nights.crawl_id
FROM seen
INNER JOIN nights USING (crawl_id)
LEFT JOIN new_pages ON seen.crawl_id = new_pages.crawl_id AND seen.host IS NOT DISTINCT FROM new_pages.host
WHERE $host::VARCHAR IS NULL OR seen.host = lower($host::VARCHAR)
ORDER BY nights.started_at DESC, nights.crawl_id DESC, seen.host
