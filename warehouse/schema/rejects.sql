CREATE TABLE IF NOT EXISTS rejects (
    url VARCHAR NOT NULL,
    stage VARCHAR NOT NULL,
    reason VARCHAR NOT NULL,
    detail VARCHAR NOT NULL,
    segment VARCHAR NOT NULL,
    segment_offset BIGINT NOT NULL,
    load_id VARCHAR NOT NULL
);

COMMENT ON TABLE rejects IS
    'A snapshot, or a part of one, that could not be read, and why.';

COMMENT ON COLUMN rejects.url IS 'Address of the snapshot; urn:sha256:... for a file that came without one.';
COMMENT ON COLUMN rejects.stage IS 'Stage that gave it up: extract, normalize.';
COMMENT ON COLUMN rejects.reason IS 'Short name of the reason, fit for counting.';
COMMENT ON COLUMN rejects.detail IS 'The reason in words.';
COMMENT ON COLUMN rejects.segment IS 'Segment file of the raw store that holds the snapshot.';
COMMENT ON COLUMN rejects.segment_offset IS 'Place of the snapshot''s record in the segment, bytes.';
COMMENT ON COLUMN rejects.load_id IS 'The load that brought the row, or changed it last (loads.load_id).';
