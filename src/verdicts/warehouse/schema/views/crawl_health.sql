CREATE OR REPLACE VIEW ops.crawl_health AS
WITH attempts AS (
    SELECT
        crawl_id,
        count(*) AS attempts,
        count(DISTINCT url) AS urls,
        histogram(outcome) AS outcomes,
        median(elapsed_ms) FILTER (WHERE status_code IS NOT NULL) AS median_ms,
        quantile_cont(elapsed_ms, 0.95) FILTER (WHERE status_code IS NOT NULL) AS slow_ms
    FROM ops.fetches
    GROUP BY crawl_id
),

final AS (
    SELECT
        crawls.crawl_id,
        crawls.kind,
        crawls.status,
        crawls.started_at,
        epoch(ops.crawls.finished_at) - epoch(ops.crawls.started_at) AS seconds,
        coalesce(attempts.attempts, 0) AS attempts,
        coalesce(attempts.urls, 0) AS urls,
        crawls.fetched,
        crawls.unchanged,
        crawls.failed,
        100 * crawls.failed / nullif(crawls.fetched + crawls.unchanged + crawls.failed, 0) AS failed_pct,
        attempts.outcomes,
        attempts.median_ms,
        attempts.slow_ms,
        crawls.bytes
    FROM ops.crawls
    LEFT JOIN attempts USING (crawl_id)
)

SELECT * FROM final;

COMMENT ON VIEW ops.crawl_health IS
    'A run: how long it took, how its attempts ended, and how much of it failed.';

COMMENT ON COLUMN ops.crawl_health.crawl_id IS 'Run (ops.crawls.crawl_id).';
COMMENT ON COLUMN ops.crawl_health.kind IS 'Sort of the run: crawl or ingest.';
COMMENT ON COLUMN ops.crawl_health.status IS 'How the run ended, or running.';
COMMENT ON COLUMN ops.crawl_health.started_at IS 'When the run began.';
COMMENT ON COLUMN ops.crawl_health.seconds IS 'Duration, seconds. NULL: not finished.';
COMMENT ON COLUMN ops.crawl_health.attempts IS 'Attempts in the fetch log; one address can have several.';
COMMENT ON COLUMN ops.crawl_health.urls IS 'Distinct addresses that were requested.';
COMMENT ON COLUMN ops.crawl_health.fetched IS 'New snapshots that were stored.';
COMMENT ON COLUMN ops.crawl_health.unchanged IS 'Attempts that found an unchanged page.';
COMMENT ON COLUMN ops.crawl_health.failed IS 'Addresses whose last attempt in the run failed.';
COMMENT ON COLUMN ops.crawl_health.failed_pct IS 'Share of failed among fetched, unchanged and failed, percent. NULL: all three are 0.';
COMMENT ON COLUMN ops.crawl_health.outcomes IS 'Outcome to number of attempts.';
COMMENT ON COLUMN ops.crawl_health.median_ms IS 'Median time of an answer, milliseconds. NULL: no answer came.';
COMMENT ON COLUMN ops.crawl_health.slow_ms IS '95th percentile of the time of an answer, milliseconds.';
COMMENT ON COLUMN ops.crawl_health.bytes IS 'Bytes received on the wire.';
