-- Scheme and host of every known page, `http://a.example/`. The first slash after the ninth character ends the host: no host
-- begins before it, in http as in https.
WITH known AS (
    SELECT url FROM urls
    UNION ALL
    SELECT url FROM snapshots
)

SELECT DISTINCT substr(url, 1, instr(substr(url, 9), '/') + 8) AS origin
FROM known
WHERE url LIKE 'http%'
ORDER BY origin
