-- A state ends before the next one begins; only the last one is open.
WITH states AS (
    SELECT
        tool_id,
        valid_from,
        valid_to,
        lead(valid_from) OVER (PARTITION BY tool_id ORDER BY valid_from) AS next_from
    FROM price_history
)

SELECT tool_id, valid_from, valid_to, next_from
FROM states
WHERE next_from IS NOT NULL AND (valid_to IS NULL OR valid_to > next_from)
