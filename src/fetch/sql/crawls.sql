-- Every run with its counts. An address failed if the run's last word on it is one: neither an answer (a 404, a page that
-- robots.txt forbids) nor a failure that a later attempt mended.
WITH last_words AS (
    SELECT crawl_id, url, outcome, max(fetch_id)
    FROM fetches
    GROUP BY crawl_id, url
),

failures AS (
    SELECT crawl_id, count(*) AS failed
    FROM last_words
    WHERE outcome IN (
        'dns_error', 'connect_error', 'connect_timeout', 'read_timeout', 'deadline', 'incomplete', 'server_error',
        'throttled', 'protocol_error', 'decode_error', 'too_large', 'blocked_address', 'tls_error', 'redirect_limit',
        'empty', 'unreadable'
    )
    GROUP BY crawl_id
),

counts AS (
    SELECT
        crawl_id,
        count(*) FILTER (WHERE outcome = 'stored')    AS fetched,
        count(*) FILTER (WHERE outcome = 'unchanged') AS unchanged,
        sum(bytes)                                    AS bytes
    FROM fetches
    GROUP BY crawl_id
)

SELECT
    crawls.crawl_id,
    crawls.kind,
    crawls.started_at,
    crawls.finished_at,
    crawls.status,
    coalesce(counts.fetched, 0),
    coalesce(counts.unchanged, 0),
    coalesce(failures.failed, 0),
    coalesce(counts.bytes, 0)
FROM crawls
LEFT JOIN counts USING (crawl_id)
LEFT JOIN failures USING (crawl_id)
ORDER BY crawls.crawl_id
