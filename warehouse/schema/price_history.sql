CREATE TABLE IF NOT EXISTS price_history (
    tool_id VARCHAR NOT NULL,
    pricing VARCHAR NOT NULL,
    valid_from TIMESTAMPTZ NOT NULL,
    valid_to TIMESTAMPTZ,
    load_id VARCHAR NOT NULL
);

COMMENT ON TABLE price_history IS
    'A tool''s pricing and the time it stood: one row for each state, to the day. Times of a tool never overlap.';

COMMENT ON COLUMN price_history.tool_id IS 'Tool (tools.tool_id).';
COMMENT ON COLUMN price_history.pricing IS 'Pricing as published, tiers apart by " / ".';
COMMENT ON COLUMN price_history.valid_from IS 'When a snapshot first showed this pricing.';
COMMENT ON COLUMN price_history.valid_to IS 'When a snapshot first showed another one, exclusive. NULL: it is the present one.';
COMMENT ON COLUMN price_history.load_id IS 'The load that brought the row, or changed it last (loads.load_id).';
