-- Each host of a crawl: how the last attempts at its addresses ended, which ending is the most frequent, what the gates
-- counted, and when its oldest reading was made. robots.txt and sitemaps are no pages. The frontier does not have all
-- addresses. A page that answered is as it was read then; one that does not answer any more, as it was stored last.
WITH attempts AS (
    SELECT url, outcome, max(fetch_id) AS fetch_id
    FROM fetches
    WHERE crawl_id = :crawl_id
    GROUP BY url
),

outcomes AS (
    SELECT
        coalesce(urls.host, nullif(host_of(attempts.url), ''), 'files') AS host,
        attempts.outcome,
        count(*) AS addresses
    FROM attempts
    LEFT JOIN urls USING (url)
    WHERE attempts.outcome <> 'support'
    GROUP BY 1, 2
),

asked AS (
    SELECT
        host,
        sum(addresses) AS asked,
        sum(addresses) FILTER (WHERE outcome IN (SELECT value FROM json_each(:answered))) AS answered,
        sum(addresses) FILTER (WHERE outcome IN (SELECT value FROM json_each(:failures))) AS failed,
        sum(addresses) FILTER (WHERE outcome IN (SELECT value FROM json_each(:gone))) AS gone,
        sum(addresses) FILTER (WHERE outcome = 'stored') AS stored
    FROM outcomes
    GROUP BY host
),

judged AS (
    SELECT
        host,
        coalesce(max(lost) FILTER (WHERE level = 'hold' AND test = 'night'), 0) AS lost,
        max(lost) FILTER (WHERE measure = 'changed') AS changed
    FROM gate_measures
    WHERE crawl_id = :crawl_id
    GROUP BY host
    HAVING max(state <> 'unjudged')
),

readings AS (
    SELECT
        host,
        min(CASE
            WHEN url_status = 'held' THEN fetched_at
            ELSE (SELECT max(fetched_at) FROM snapshots WHERE snapshots.url = urls.url)
        END) AS oldest_at
    FROM urls
    WHERE sha256 IS NOT NULL AND is_gone = 0 AND url_status IN ('held', 'absent')
    GROUP BY host
    HAVING oldest_at IS NOT NULL
),

hosts AS (
    SELECT host FROM asked
    UNION
    SELECT host FROM endings WHERE crawl_id = :crawl_id
    UNION
    SELECT host FROM readings
)

SELECT
    hosts.host,
    coalesce(asked.asked, 0)     AS asked,
    coalesce(asked.answered, 0)  AS answered,
    coalesce(asked.failed, 0)    AS failed,
    coalesce(judged.changed, asked.stored, 0) AS changed,
    judged.lost,
    coalesce(asked.gone, 0)      AS gone,
    readings.oldest_at,
    (
        SELECT outcomes.outcome
        FROM outcomes
        WHERE outcomes.host = hosts.host
        ORDER BY outcomes.addresses DESC, outcomes.outcome
        LIMIT 1
    ) AS most_frequent,
    (SELECT max(outcomes.addresses) FROM outcomes WHERE outcomes.host = hosts.host) AS most_frequent_addresses
FROM hosts
LEFT JOIN asked USING (host)
LEFT JOIN judged USING (host)
LEFT JOIN readings USING (host)
