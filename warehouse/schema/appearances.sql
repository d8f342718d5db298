CREATE TABLE IF NOT EXISTS appearances (
    page_id VARCHAR NOT NULL,
    text_id VARCHAR NOT NULL,
    review_id VARCHAR NOT NULL,
    position BIGINT NOT NULL,
    side VARCHAR,
    match VARCHAR NOT NULL,
    similarity DOUBLE NOT NULL,
    attribution VARCHAR NOT NULL,
    text VARCHAR NOT NULL,
    segment VARCHAR NOT NULL,
    segment_offset BIGINT NOT NULL,
    first_block BIGINT NOT NULL,
    last_block BIGINT NOT NULL,
    first_seen_at TIMESTAMPTZ NOT NULL,
    last_seen_at TIMESTAMPTZ NOT NULL,
    load_id VARCHAR NOT NULL
);

COMMENT ON TABLE appearances IS
    'A distinct wording of a take on a page.';

COMMENT ON COLUMN appearances.page_id IS 'Page (pages.page_id).';
COMMENT ON COLUMN appearances.text_id IS 'Id of the wording, 32 hex digits made of its folded text.';
COMMENT ON COLUMN appearances.review_id IS 'The take it is a wording of (reviews.review_id).';
COMMENT ON COLUMN appearances.position IS 'Place among the takes of the page in reading order, from 0: row by row, a before b.';
COMMENT ON COLUMN appearances.side IS 'Side of the page its tool stands on: a, b. NULL: neither the page nor other pages tell.';
COMMENT ON COLUMN appearances.match IS 'How its words compare with the founding wording of the review once folded: exact, near (small edits), prefix (cut short).';
COMMENT ON COLUMN appearances.similarity IS 'How alike its words and the founding wording of the review are, 0-1; 1 is the same text once folded.';
COMMENT ON COLUMN appearances.attribution IS 'How this sighting got its tool: observed (labelled here), matched, intersected, excluded, ordered.';
COMMENT ON COLUMN appearances.text IS 'The words on this page, as published.';
COMMENT ON COLUMN appearances.segment IS 'Segment file of the raw store that holds the snapshot it was read from.';
COMMENT ON COLUMN appearances.segment_offset IS 'Place of the snapshot''s record in the segment, bytes.';
COMMENT ON COLUMN appearances.first_block IS 'First text block of the take in that snapshot, from 0.';
COMMENT ON COLUMN appearances.last_block IS 'Last text block of the take in that snapshot, inclusive.';
COMMENT ON COLUMN appearances.first_seen_at IS 'When the oldest snapshot of the page with this wording was fetched.';
COMMENT ON COLUMN appearances.last_seen_at IS 'When the newest snapshot of the page that was read and has this wording was fetched.';
COMMENT ON COLUMN appearances.load_id IS 'The load that brought the row, or changed it last (loads.load_id).';
