CREATE OR REPLACE VIEW ops.crawl_outcomes AS
WITH attempts AS (
    SELECT
        crawl_id,
        host,
        outcome,
        outcome_class,
        elapsed_ms,
        status_code,
        row_number() OVER (PARTITION BY crawl_id, url ORDER BY started_at DESC, fetch_id DESC) = 1 AS is_last
    FROM ops.fetches
),

final AS (
    SELECT
        attempts.crawl_id,
        crawls.started_at,
        attempts.host,
        attempts.outcome,
        attempts.outcome_class,
        count(*) FILTER (WHERE attempts.is_last) AS addresses,
        count(*) AS attempts,
        median(attempts.elapsed_ms) FILTER (WHERE attempts.status_code IS NOT NULL) AS median_ms,
        quantile_cont(attempts.elapsed_ms, 0.95) FILTER (WHERE attempts.status_code IS NOT NULL) AS p95_ms
    FROM attempts
    INNER JOIN ops.crawls USING (crawl_id)
    GROUP BY ALL
)

SELECT * FROM final;

COMMENT ON VIEW ops.crawl_outcomes IS
    'How the attempts of a run at a host ended: one row for each outcome. robots.txt and sitemaps have the outcome support.';

COMMENT ON COLUMN ops.crawl_outcomes.crawl_id IS 'Run (ops.crawls.crawl_id).';
COMMENT ON COLUMN ops.crawl_outcomes.started_at IS 'When the run began.';
COMMENT ON COLUMN ops.crawl_outcomes.host IS 'Host, lower case. NULL: files that came without an address.';
COMMENT ON COLUMN ops.crawl_outcomes.outcome IS 'How the attempts ended (ops.fetches.outcome).';
COMMENT ON COLUMN ops.crawl_outcomes.outcome_class IS 'Class of the outcome: answered, other, failed (ops.fetches.outcome_class).';
COMMENT ON COLUMN ops.crawl_outcomes.addresses IS 'Addresses whose last attempt in the run ended this way. Over all outcomes: the requested addresses.';
COMMENT ON COLUMN ops.crawl_outcomes.attempts IS 'Attempts that ended this way; one address can have several.';
COMMENT ON COLUMN ops.crawl_outcomes.median_ms IS 'Median time of their answers, milliseconds. NULL: no answer came.';
COMMENT ON COLUMN ops.crawl_outcomes.p95_ms IS '95th percentile of the time of their answers, milliseconds. NULL: no answer came.';
