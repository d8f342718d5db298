-- question: How did the requests of each run end?
-- topic: crawl
-- parameter: nights = 30: only the last runs
-- picture: bars started_at failed
WITH nights AS (
    SELECT crawl_id, kind, status, started_at, epoch(finished_at) - epoch(started_at) AS seconds, bytes
    FROM ops.crawls
    ORDER BY started_at DESC, crawl_id DESC
    LIMIT $nights::BIGINT
),

-- robots.txt and sitemaps are read on the way; they are not requested pages.
ended AS (
    SELECT
        crawl_id,
        sum(addresses) FILTER (WHERE outcome = 'unchanged') AS unchanged,
        sum(addresses) FILTER (WHERE outcome = 'stored') AS stored,
        sum(addresses) FILTER (WHERE outcome_class = 'other') AS other,
        sum(addresses) FILTER (WHERE outcome_class = 'failed') AS failed
    FROM ops.crawl_outcomes
    SEMI JOIN nights USING (crawl_id)
    WHERE outcome <> 'support'
    GROUP BY crawl_id
)

SELECT
    nights.started_at,
    nights.kind,
    nights.status,
    nights.seconds,
    coalesce(ended.unchanged, 0)::BIGINT AS unchanged,
    coalesce(ended.stored, 0)::BIGINT AS stored,
    coalesce(ended.other, 0)::BIGINT AS other,
    coalesce(ended.failed, 0)::BIGINT AS failed,
    nights.bytes,
    nights.crawl_id
FROM nights
LEFT JOIN ended USING (crawl_id)
ORDER BY nights.started_at DESC, nights.crawl_id DESC
