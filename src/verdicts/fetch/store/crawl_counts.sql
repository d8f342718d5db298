-- The counts of a run, from its log. A URL failed if its last outcome in the run is one of :failures; an earlier failure
-- does not count, unless this program was at fault. robots.txt and sitemaps count as neither fetched nor unchanged.
WITH attempts AS (
    SELECT url, outcome, bytes, fetch_id
    FROM fetches
    WHERE crawl_id = :crawl_id
),

last_outcomes AS (
    SELECT url, outcome, max(fetch_id)
    FROM attempts
    GROUP BY url
),

failures AS (
    SELECT count(*) AS failed
    FROM (
        SELECT url FROM last_outcomes WHERE outcome IN (SELECT value FROM json_each(:failures))
        UNION
        SELECT url FROM attempts WHERE outcome = 'internal_error'
    )
),

final AS (
    SELECT
        count(*) FILTER (WHERE outcome = 'stored')    AS fetched,
        count(*) FILTER (WHERE outcome = 'unchanged') AS unchanged,
        (SELECT failed FROM failures)                 AS failed,
        coalesce(sum(bytes), 0)                       AS bytes
    FROM attempts
)

SELECT fetched, unchanged, failed, bytes
FROM final
