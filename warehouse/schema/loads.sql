CREATE TABLE IF NOT EXISTS loads (
    load_id VARCHAR NOT NULL,
    loaded_at TIMESTAMPTZ NOT NULL,
    rows_added BIGINT NOT NULL,
    rows_changed BIGINT NOT NULL,
    rows_removed BIGINT NOT NULL,
    extractor_version VARCHAR NOT NULL,
    elapsed_ms BIGINT
);

COMMENT ON TABLE loads IS
    'A load that changed a row. A load that found everything as it was leaves none.';

COMMENT ON COLUMN loads.load_id IS 'Id of the load: UTC start and four hex digits, sortable by time.';
COMMENT ON COLUMN loads.loaded_at IS 'When the load began.';
COMMENT ON COLUMN loads.rows_added IS 'Rows added to the tables of the corpus; those of crawls and fetches are in load_counts alone.';
COMMENT ON COLUMN loads.rows_changed IS 'Rows of the corpus whose values changed.';
COMMENT ON COLUMN loads.rows_removed IS 'Rows that are no longer in the corpus.';
COMMENT ON COLUMN loads.extractor_version IS 'Version of the extractor that read the snapshots.';
COMMENT ON COLUMN loads.elapsed_ms IS 'Time from the first row to the commit, milliseconds. NULL: loaded before durations were kept.';
