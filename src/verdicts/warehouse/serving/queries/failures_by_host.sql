-- question: What failed at which host, and on how many nights?
-- topic: crawl
-- parameter: nights = 30: only the last runs
-- parameter: limit = 50: at most this many rows
-- picture: bars outcome+host addresses
WITH nights AS (
    SELECT crawl_id
    FROM ops.crawls
    ORDER BY started_at DESC, crawl_id DESC
    LIMIT $nights::BIGINT
)

SELECT outcome, host, sum(addresses)::BIGINT AS addresses, count(DISTINCT crawl_id) AS nights, max(started_at) AS last_night
FROM ops.crawl_outcomes
SEMI JOIN nights USING (crawl_id)
WHERE outcome_class = 'failed' AND addresses > 0
GROUP BY outcome, host
ORDER BY addresses DESC, outcome, host
LIMIT $limit::BIGINT
