CREATE TABLE IF NOT EXISTS fetches (
    fetch_id VARCHAR NOT NULL,
    crawl_id VARCHAR NOT NULL,
    url VARCHAR NOT NULL,
    outcome VARCHAR NOT NULL,
    status_code BIGINT,
    attempt BIGINT NOT NULL,
    started_at TIMESTAMPTZ NOT NULL,
    elapsed_ms BIGINT NOT NULL,
    bytes BIGINT NOT NULL,
    body_sha256 VARCHAR,
    segment VARCHAR,
    segment_offset BIGINT,
    detail VARCHAR,
    load_id VARCHAR NOT NULL
);

COMMENT ON TABLE fetches IS
    'An attempt to fetch an address.';

COMMENT ON COLUMN fetches.fetch_id IS 'Id of the attempt: the run''s id and a number that counts its attempts.';
COMMENT ON COLUMN fetches.crawl_id IS 'Run it belongs to (crawls.crawl_id).';
COMMENT ON COLUMN fetches.url IS 'Address asked for.';
COMMENT ON COLUMN fetches.outcome IS 'How the attempt ended, for example stored, unchanged, redirected, not_found, dns_error, incomplete.';
COMMENT ON COLUMN fetches.status_code IS 'HTTP status. NULL: no response came.';
COMMENT ON COLUMN fetches.attempt IS 'Which attempt at this address in this run, from 1.';
COMMENT ON COLUMN fetches.started_at IS 'When the attempt began.';
COMMENT ON COLUMN fetches.elapsed_ms IS 'Time the answer took, milliseconds; 0 where none came.';
COMMENT ON COLUMN fetches.bytes IS 'Bytes received on the wire; 0 where no answer came.';
COMMENT ON COLUMN fetches.body_sha256 IS 'SHA-256 of the decoded body, hex. NULL: no whole body came.';
COMMENT ON COLUMN fetches.segment IS 'Segment file of the raw store that holds the response. NULL: nothing was kept.';
COMMENT ON COLUMN fetches.segment_offset IS 'Place of the response''s record in the segment, bytes. NULL: nothing was kept.';
COMMENT ON COLUMN fetches.detail IS 'More about the outcome in words, for example what went wrong. NULL: nothing to add.';
COMMENT ON COLUMN fetches.load_id IS 'The load that brought the row, or changed it last (loads.load_id).';
