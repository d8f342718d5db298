-- How the addresses of each host ended in a run: answered, gone, failed, or due and not asked for, which is only
-- counted. A redirect to a page of `comparisons` that answered is an answer.
WITH RECURSIVE last AS (
    SELECT host_of(url) AS host, url, outcome, detail, max(fetch_id)
    FROM fetches
    WHERE crawl_id = :crawl_id
    GROUP BY url
),

hops AS (
    SELECT url, url AS target, 0 AS hop
    FROM last
    WHERE outcome <> 'support'
    UNION ALL
    SELECT hops.url, last.detail, hops.hop + 1
    FROM hops
    INNER JOIN last ON hops.target = last.url
    -- A circle of redirects ends here.
    WHERE last.outcome = 'redirected' AND hops.hop < 10 AND last.detail IN (SELECT url FROM last)
),

ends AS (
    SELECT url, target, max(hop)
    FROM hops
    GROUP BY url
)

SELECT
    last.host,
    CASE
        WHEN
            last.outcome IN ('stored', 'unchanged', 'alias')
            OR last.outcome = 'redirected' AND target.outcome IN ('stored', 'unchanged', 'alias')
            AND target.url IN (SELECT value FROM json_each(:comparisons)) THEN 'answered'
        WHEN last.outcome IN ('redirected', 'not_found', 'gone', 'soft_404') THEN 'gone'
        ELSE 'failed'
    END AS ending,
    last.url,
    last.outcome,
    0 AS unasked
FROM last
INNER JOIN ends USING (url)
INNER JOIN last AS target ON ends.target = target.url
UNION ALL
-- Hosts that pages only link to were never asked.
SELECT
    host,
    'unasked',
    '',
    '',
    sum(CASE WHEN reason IN (SELECT value FROM json_each(:not_asked)) THEN skipped ELSE 0 END)
FROM skips
WHERE crawl_id = :crawl_id AND reason NOT IN ('other_host', 'other_site')
GROUP BY host
