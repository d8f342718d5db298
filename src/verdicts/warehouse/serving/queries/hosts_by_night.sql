-- question: Which hosts answer slowest, and which share of their addresses was answered each night (a 404 counts)?
-- topic: crawl
-- parameter: nights = 30: only the last crawls
-- parameter: limit = 20: at most this many hosts
-- picture: bars host median_ms
WITH nights AS (
    SELECT crawl_id, started_at, row_number() OVER (ORDER BY started_at DESC, crawl_id DESC) AS place
    FROM ops.crawls
    WHERE kind = 'crawl'
    ORDER BY started_at DESC, crawl_id DESC
    LIMIT $nights::BIGINT
),

asked AS (
    SELECT
        crawl_outcomes.host,
        nights.place,
        sum(crawl_outcomes.addresses)::BIGINT AS addresses,
        100 * sum(crawl_outcomes.addresses) FILTER (WHERE crawl_outcomes.outcome_class <> 'failed')
        / sum(crawl_outcomes.addresses) AS answered_pct
    FROM ops.crawl_outcomes
    INNER JOIN nights USING (crawl_id)
    WHERE crawl_outcomes.outcome <> 'support' AND crawl_outcomes.host IS NOT NULL
    GROUP BY crawl_outcomes.host, nights.place
    HAVING sum(crawl_outcomes.addresses) > 0
),

-- Only of the newest crawl: the median of a host does not follow from the medians of its outcomes.
times AS (
    SELECT
        host,
        count(elapsed_ms) AS timed,
        median(elapsed_ms) AS median_ms,
        CASE WHEN timed >= 20 THEN quantile_cont(elapsed_ms, 0.95) END AS p95_ms
    FROM ops.fetches
    WHERE crawl_id = (SELECT crawl_id FROM nights WHERE place = 1) AND status_code IS NOT NULL
    GROUP BY host
),

final AS (
    SELECT
        asked.host,
        arg_min(asked.addresses, asked.place) AS addresses,
        arg_min(coalesce(asked.answered_pct, 0), asked.place) AS answered_pct,
        list(coalesce(asked.answered_pct, 0) ORDER BY asked.place DESC) AS answered_by_night,
        any_value(times.median_ms) AS median_ms,
        any_value(times.p95_ms) AS p95_ms,
        any_value(times.timed) AS timed
    FROM asked
    LEFT JOIN times ON asked.host = times.host
    GROUP BY asked.host
)

SELECT * FROM final
ORDER BY median_ms DESC NULLS LAST, host
LIMIT $limit::BIGINT
