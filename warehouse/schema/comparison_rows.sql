CREATE TABLE IF NOT EXISTS comparison_rows (
    url VARCHAR NOT NULL,
    position BIGINT NOT NULL,
    tool_position BIGINT NOT NULL,
    kind VARCHAR NOT NULL,
    attribute VARCHAR NOT NULL,
    value VARCHAR NOT NULL,
    load_id VARCHAR NOT NULL
);

COMMENT ON TABLE comparison_rows IS
    'A value in a comparison of any other site: one attribute of one tool, or the answer to a question about all.';

COMMENT ON COLUMN comparison_rows.url IS 'Page it stands on (documents.url).';
COMMENT ON COLUMN comparison_rows.position IS 'Place of the attribute or question on the page, from 0.';
COMMENT ON COLUMN comparison_rows.tool_position IS 'The tool (compared_tools.position); 0 for the answer to a question.';
COMMENT ON COLUMN comparison_rows.kind IS 'attribute: of one tool. question: asked and answered for all.';
COMMENT ON COLUMN comparison_rows.attribute IS 'Name of the attribute, or the question, as published.';
COMMENT ON COLUMN comparison_rows.value IS 'Value or answer as published. An empty cell has no row.';
COMMENT ON COLUMN comparison_rows.load_id IS 'The load that brought the row, or changed it last (loads.load_id).';
