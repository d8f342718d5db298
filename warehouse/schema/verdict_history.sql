CREATE TABLE IF NOT EXISTS verdict_history (
    page_id VARCHAR NOT NULL,
    side VARCHAR NOT NULL,
    tool_id VARCHAR NOT NULL,
    verdict VARCHAR,
    ship_votes BIGINT,
    skip_votes BIGINT,
    panel_ship_pct BIGINT,
    community_pct BIGINT,
    community_votes BIGINT,
    pricing VARCHAR,
    valid_from TIMESTAMPTZ NOT NULL,
    valid_to TIMESTAMPTZ,
    load_id VARCHAR NOT NULL
);

COMMENT ON TABLE verdict_history IS
    'What a page said of one of its tools and the time it said so: one row for each state. Times of a page and side never overlap.';

COMMENT ON COLUMN verdict_history.page_id IS 'Page (pages.page_id).';
COMMENT ON COLUMN verdict_history.side IS 'Side of the page: a, b.';
COMMENT ON COLUMN verdict_history.tool_id IS 'Tool on that side (tools.tool_id).';
COMMENT ON COLUMN verdict_history.verdict IS 'Verdict of the panel in this state: ship, mixed, skip. NULL: not stated.';
COMMENT ON COLUMN verdict_history.ship_votes IS 'Panel members who would ship it. NULL: not stated.';
COMMENT ON COLUMN verdict_history.skip_votes IS 'Panel members who would skip it. NULL: not stated.';
COMMENT ON COLUMN verdict_history.panel_ship_pct IS 'Share of the panel that would ship it, percent, 0-100. NULL: not stated.';
COMMENT ON COLUMN verdict_history.community_pct IS 'Share of the community that would ship it, percent, 0-100. NULL: no votes yet, or not stated.';
COMMENT ON COLUMN verdict_history.community_votes IS 'Community votes cast; 0 where the page says that there are none yet. NULL: not stated.';
COMMENT ON COLUMN verdict_history.pricing IS 'Pricing as printed. NULL: not stated.';
COMMENT ON COLUMN verdict_history.valid_from IS 'When a snapshot first showed this state.';
COMMENT ON COLUMN verdict_history.valid_to IS 'When a snapshot first showed another state, exclusive. NULL: it is the present state.';
COMMENT ON COLUMN verdict_history.load_id IS 'The load that brought the row, or changed it last (loads.load_id).';
