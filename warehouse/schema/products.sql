CREATE TABLE IF NOT EXISTS products (
    tool_id VARCHAR NOT NULL,
    product_id VARCHAR NOT NULL,
    name VARCHAR NOT NULL,
    score DOUBLE NOT NULL,
    reason VARCHAR NOT NULL,
    load_id VARCHAR NOT NULL
);

COMMENT ON TABLE products IS
    'A tool that seems to be one of several entries of the same product. A suggestion for grouping, never an identity.';

COMMENT ON COLUMN products.tool_id IS 'Tool (tools.tool_id).';
COMMENT ON COLUMN products.product_id IS 'The product: the smallest tool_id of its group.';
COMMENT ON COLUMN products.name IS 'Shortest name in the group.';
COMMENT ON COLUMN products.score IS 'How sure it is, 0-1: that of the best pair with another tool of the group. Suggested from 0.9 on.';
COMMENT ON COLUMN products.reason IS 'What that pair has in common, in words.';
COMMENT ON COLUMN products.load_id IS 'The load that brought the row, or changed it last (loads.load_id).';
