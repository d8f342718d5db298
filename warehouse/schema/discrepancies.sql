CREATE TABLE IF NOT EXISTS discrepancies (
    page_id VARCHAR NOT NULL,
    tool_id VARCHAR,
    rule VARCHAR NOT NULL,
    expected VARCHAR NOT NULL,
    found VARCHAR NOT NULL,
    load_id VARCHAR NOT NULL
);

COMMENT ON TABLE discrepancies IS
    'Two statements of the corpus that must agree and do not. Both are kept; neither is corrected.';

COMMENT ON COLUMN discrepancies.page_id IS 'Page that contradicts itself or another one (pages.page_id).';
COMMENT ON COLUMN discrepancies.tool_id IS 'Tool it is about (tools.tool_id). NULL: the page as a whole.';
COMMENT ON COLUMN discrepancies.rule IS 'Name of the rule that was broken.';
COMMENT ON COLUMN discrepancies.expected IS 'What one statement leads to.';
COMMENT ON COLUMN discrepancies.found IS 'What the other statement says.';
COMMENT ON COLUMN discrepancies.load_id IS 'The load that brought the row, or changed it last (loads.load_id).';
