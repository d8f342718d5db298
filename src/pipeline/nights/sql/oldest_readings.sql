-- Each host and when its oldest reading was made: a page that answered is as it was read then; of one that does not
-- answer any more, when it was stored last.
WITH readings AS (
    SELECT
        host,
        CASE
            WHEN url_status = 'held' THEN fetched_at
            ELSE (SELECT max(fetched_at) FROM snapshots WHERE snapshots.url = urls.url)
        END AS read_at
    FROM urls
    WHERE sha256 IS NOT NULL AND is_gone = 0 AND url_status IN ('held', 'absent')
)

SELECT host, min(read_at) AS oldest_at
FROM readings
WHERE read_at IS NOT NULL
GROUP BY host
