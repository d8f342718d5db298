CREATE TABLE IF NOT EXISTS reviews (
    review_id VARCHAR NOT NULL,
    tool_id VARCHAR NOT NULL,
    seat VARCHAR,
    seat_source VARCHAR,
    score BIGINT,
    verdict VARCHAR,
    text VARCHAR NOT NULL,
    attribution VARCHAR NOT NULL,
    confidence DOUBLE NOT NULL,
    appearances BIGINT NOT NULL,
    first_seen_at TIMESTAMPTZ NOT NULL,
    last_seen_at TIMESTAMPTZ NOT NULL,
    load_id VARCHAR NOT NULL
);

COMMENT ON TABLE reviews IS
    'A distinct take: what one reviewer says of one tool, however many pages repeat it.';

COMMENT ON COLUMN reviews.review_id IS 'Id of the take, 32 hex digits, stable from night to night; ids merged into it are in review_aliases.';
COMMENT ON COLUMN reviews.tool_id IS 'Tool the take is about (tools.tool_id).';
COMMENT ON COLUMN reviews.seat IS 'Reviewer''s seat on the panel as written: Builder, Skeptic, Futurist, PM, Founder, Creator. NULL: no page shows it.';
COMMENT ON COLUMN reviews.seat_source IS 'How the seat is known: label (a page says so), row_order (no other seat has its row free, between rows that are known). NULL: no seat.';
COMMENT ON COLUMN reviews.score IS 'Reviewer''s score, 0-100. NULL: no page shows it.';
COMMENT ON COLUMN reviews.verdict IS 'Reviewer''s verdict: ship, skip. NULL: no page shows it.';
COMMENT ON COLUMN reviews.text IS 'The take as published, in its fullest wording.';
COMMENT ON COLUMN reviews.attribution IS 'Strongest evidence among its appearances that it is about this tool: observed, matched, intersected, excluded, ordered (strongest first).';
COMMENT ON COLUMN reviews.confidence IS 'Confidence in tool_id, 0-1. Takes that are only ordered are weak: filter them where it matters.';
COMMENT ON COLUMN reviews.appearances IS 'Number of its rows in appearances.';
COMMENT ON COLUMN reviews.first_seen_at IS 'When the oldest snapshot that shows it was fetched.';
COMMENT ON COLUMN reviews.last_seen_at IS 'When the newest snapshot whose content was read and shows it was fetched.';
COMMENT ON COLUMN reviews.load_id IS 'The load that brought the row, or changed it last (loads.load_id).';
