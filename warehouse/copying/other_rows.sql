-- Hashes of rows that are there now and were not before, were and are not, or are there more or less often.
SELECT bits
FROM (
    SELECT
        bits,
        -1 AS times
    FROM rows_before
    UNION ALL
    SELECT
        hash(found) AS bits,
        1 AS times
    FROM rows_now AS found
)
GROUP BY bits
HAVING sum(times) <> 0
