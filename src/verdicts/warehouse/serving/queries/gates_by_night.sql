-- question: What did the gates measure each night, and what did they hold back?
-- topic: crawl
-- parameter: host: only this host
-- parameter: state: only tests with this result (passed, watch, held, accepted, shadow, unjudged)
-- parameter: nights = 30: only the last nights
-- picture: table
WITH nights AS (
    SELECT crawl_id, started_at
    FROM ops.crawls
    ORDER BY started_at DESC, crawl_id DESC
    LIMIT $nights::BIGINT
)

SELECT
    nights.started_at,
    gate_measures.host,
    gate_measures.measure,
    gate_measures.test,
    gate_measures.unit,
    gate_measures.had,
    gate_measures.lost,
    gate_measures.rate,
    gate_measures.p_value,
    gate_measures.state,
    gate_measures.examples,
    nights.crawl_id
FROM ops.gate_measures
INNER JOIN nights USING (crawl_id)
WHERE
    ($host::VARCHAR IS NULL OR gate_measures.host = lower($host::VARCHAR))
    AND ($state::VARCHAR IS NULL OR gate_measures.state = $state::VARCHAR)
ORDER BY nights.started_at DESC, nights.crawl_id DESC, gate_measures.host, gate_measures.measure, gate_measures.test, gate_measures.unit
