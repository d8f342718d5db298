CREATE TABLE IF NOT EXISTS crawls (
    crawl_id VARCHAR NOT NULL,
    kind VARCHAR NOT NULL,
    started_at TIMESTAMPTZ NOT NULL,
    finished_at TIMESTAMPTZ,
    status VARCHAR NOT NULL,
    fetched BIGINT NOT NULL,
    unchanged BIGINT NOT NULL,
    failed BIGINT NOT NULL,
    bytes BIGINT NOT NULL,
    load_id VARCHAR NOT NULL
);

COMMENT ON TABLE crawls IS
    'A run that fetched pages or took in files.';

COMMENT ON COLUMN crawls.crawl_id IS 'Id of the run: UTC start and four hex digits, sortable by time.';
COMMENT ON COLUMN crawls.kind IS 'What sort of run it was: crawl (over the network), ingest (files).';
COMMENT ON COLUMN crawls.started_at IS 'When the run began.';
COMMENT ON COLUMN crawls.finished_at IS 'When the run ended. NULL: it is still running, or was killed.';
COMMENT ON COLUMN crawls.status IS 'How the run ended: done, partial (some addresses failed for good), failed; or running.';
COMMENT ON COLUMN crawls.fetched IS 'New snapshots that were stored.';
COMMENT ON COLUMN crawls.unchanged IS 'Attempts that found the page as it was.';
COMMENT ON COLUMN crawls.failed IS 'Addresses whose last attempt in the run failed. A 404 or a page that robots.txt forbids is an answer, no failure.';
COMMENT ON COLUMN crawls.bytes IS 'Bytes received on the wire.';
COMMENT ON COLUMN crawls.load_id IS 'The load that brought the row, or changed it last (loads.load_id).';
