CREATE TABLE IF NOT EXISTS tool_history (
    tool_id VARCHAR NOT NULL,
    name VARCHAR NOT NULL,
    tagline VARCHAR,
    description VARCHAR,
    category VARCHAR,
    entry VARCHAR,
    valid_from TIMESTAMPTZ NOT NULL,
    valid_to TIMESTAMPTZ,
    load_id VARCHAR NOT NULL
);

COMMENT ON TABLE tool_history IS
    'A tool''s card texts and the time they stood: one row for each state. Times of a tool never overlap.';

COMMENT ON COLUMN tool_history.tool_id IS 'Tool (tools.tool_id).';
COMMENT ON COLUMN tool_history.name IS 'Display name in this state.';
COMMENT ON COLUMN tool_history.tagline IS 'Tagline in this state. NULL: not shown.';
COMMENT ON COLUMN tool_history.description IS 'Description in this state. NULL: not shown.';
COMMENT ON COLUMN tool_history.category IS 'Category in this state. NULL: not shown.';
COMMENT ON COLUMN tool_history.entry IS 'Entry in this state. NULL: not shown.';
COMMENT ON COLUMN tool_history.valid_from IS 'When a snapshot first showed this state.';
COMMENT ON COLUMN tool_history.valid_to IS 'When a snapshot first showed another state, exclusive. NULL: it is the present state.';
COMMENT ON COLUMN tool_history.load_id IS 'The load that brought the row, or changed it last (loads.load_id).';
