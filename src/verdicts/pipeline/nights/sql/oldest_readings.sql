-- When the oldest reading of each host was made: a page that answered is as it was read then; one that does not answer
-- any more, as it was stored last.
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
