CREATE TABLE IF NOT EXISTS pricing_tiers (
    tool_id VARCHAR NOT NULL,
    position BIGINT NOT NULL,
    plan VARCHAR,
    kind VARCHAR NOT NULL,
    amount DOUBLE,
    currency VARCHAR,
    period VARCHAR,
    license VARCHAR,
    raw VARCHAR NOT NULL,
    load_id VARCHAR NOT NULL
);

COMMENT ON TABLE pricing_tiers IS
    'A tier of a tool''s newest pricing string.';

COMMENT ON COLUMN pricing_tiers.tool_id IS 'Tool (tools.tool_id).';
COMMENT ON COLUMN pricing_tiers.position IS 'Place of the tier in the string, from 0.';
COMMENT ON COLUMN pricing_tiers.plan IS 'Name of the plan: Pro, Business. NULL: the tier has no name.';
COMMENT ON COLUMN pricing_tiers.kind IS 'What sort of tier it is: free, open_source, paid (an amount is stated), usage (pay for what is used), enterprise (on request), other.';
COMMENT ON COLUMN pricing_tiers.amount IS 'Price in units of currency for one period; 0 for a free tier. NULL: no amount is stated.';
COMMENT ON COLUMN pricing_tiers.currency IS 'Currency of the amount, ISO 4217. NULL: no amount is printed.';
COMMENT ON COLUMN pricing_tiers.period IS 'Time the amount pays for: month, year, week, day, hour. NULL: once, by use, or not stated.';
COMMENT ON COLUMN pricing_tiers.license IS 'Licence named in the tier: MIT, Apache 2.0. NULL: none named.';
COMMENT ON COLUMN pricing_tiers.raw IS 'The tier as printed.';
COMMENT ON COLUMN pricing_tiers.load_id IS 'The load that brought the row, or changed it last (loads.load_id).';
