CREATE OR REPLACE VIEW ops.stale_pages AS
WITH attempts AS (
    SELECT
        url,
        max(started_at) AS last_asked_at,
        max_by(outcome, (started_at, fetch_id)) AS outcome,
        max(started_at) FILTER (WHERE outcome IN ('stored', 'unchanged')) AS last_good_at
    FROM ops.fetches
    GROUP BY url
),

final AS (
    SELECT
        pages.page_id,
        pages.url,
        attempts.outcome,
        attempts.last_asked_at,
        attempts.last_good_at,
        epoch(attempts.last_asked_at - attempts.last_good_at) / 86400 AS stale_days
    FROM pages
    INNER JOIN attempts USING (url)
    WHERE
        attempts.outcome NOT IN ('stored', 'unchanged')
        AND NOT pages.is_gone
)

SELECT * FROM final;

COMMENT ON VIEW ops.stale_pages IS
    'A page whose last attempt brought no content. The corpus still has its older content.';

COMMENT ON COLUMN ops.stale_pages.page_id IS 'Page (pages.page_id).';
COMMENT ON COLUMN ops.stale_pages.url IS 'Its address.';
COMMENT ON COLUMN ops.stale_pages.outcome IS 'How the last attempt ended.';
COMMENT ON COLUMN ops.stale_pages.last_asked_at IS 'When it was last requested.';
COMMENT ON COLUMN ops.stale_pages.last_good_at IS 'When it last answered. NULL: it came from a file, never over the web.';
COMMENT ON COLUMN ops.stale_pages.stale_days IS 'Days between last_good_at and last_asked_at.';
