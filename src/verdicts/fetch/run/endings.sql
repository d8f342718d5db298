-- The frontier after a crawl: each address once, by host and ending, which is its last outcome in the crawl where it was asked
-- for. The example of those that are not due is the next one.
WITH last_attempts AS (
    SELECT url, outcome, detail, max(fetch_id)
    FROM fetches
    WHERE crawl_id = :crawl_id
    GROUP BY url
),

ended AS (
    SELECT
        host,
        url,
        address,
        due_at,
        detail,
        CASE
            WHEN outcome IS NOT NULL THEN outcome
            WHEN handled_in = :crawl_id THEN find_skip_reason(url, address)
            WHEN due_at > :started_at AND NOT is_elsewhere(host) THEN 'not_due'
            ELSE find_rest_reason(host)
        END AS ending
    FROM urls
    LEFT JOIN last_attempts USING (url)
),

final AS (
    SELECT
        host,
        ending,
        count(*) AS addresses,
        url,
        address AS example,
        detail,
        min(CASE ending WHEN 'not_due' THEN due_at ELSE url END)
    FROM ended
    GROUP BY host, ending
)

SELECT host, ending, addresses, url, example, detail
FROM final
