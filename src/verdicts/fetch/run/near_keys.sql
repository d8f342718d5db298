-- Known keys of one origin, between :origin and :end, whose path is :path in any case, whatever their query.
WITH known AS (
    SELECT url FROM urls WHERE url BETWEEN :origin AND :end
    UNION
    SELECT url FROM snapshots WHERE url BETWEEN :origin AND :end
),

placed AS (
    SELECT
        url,
        CASE instr(url, '?') WHEN 0 THEN url ELSE substr(url, 1, instr(url, '?') - 1) END AS place
    FROM known
)

SELECT url
FROM placed
WHERE lower(place) = lower(:path) AND url <> :key
ORDER BY url
LIMIT 5
