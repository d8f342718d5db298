CREATE TABLE IF NOT EXISTS load_counts (
    load_id VARCHAR NOT NULL,
    relation VARCHAR NOT NULL,
    rows_added BIGINT NOT NULL,
    rows_changed BIGINT NOT NULL,
    rows_removed BIGINT NOT NULL,
    rows_held BIGINT NOT NULL
);

COMMENT ON TABLE load_counts IS
    'A table that a load changed: how many of its rows, and how many it held afterwards.';

COMMENT ON COLUMN load_counts.load_id IS 'Load (loads.load_id).';
COMMENT ON COLUMN load_counts.relation IS 'Name of the table.';
COMMENT ON COLUMN load_counts.rows_added IS 'Rows the load added.';
COMMENT ON COLUMN load_counts.rows_changed IS 'Rows whose values the load changed.';
COMMENT ON COLUMN load_counts.rows_removed IS 'Rows the load removed.';
COMMENT ON COLUMN load_counts.rows_held IS 'Rows of the table after the load.';
