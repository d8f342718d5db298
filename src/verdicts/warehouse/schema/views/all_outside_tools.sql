CREATE OR REPLACE VIEW outside.all_outside_tools AS
SELECT * EXCLUDE (content_hash), 'compares' AS claim FROM outside.compared_tools
UNION ALL BY NAME
SELECT * EXCLUDE (content_hash), 'describes' AS claim FROM outside.described_tools;

COMMENT ON VIEW outside.all_outside_tools IS
    'A tool that a page of another site names: the rows of compared_tools and described_tools together.';

COMMENT ON COLUMN outside.all_outside_tools.url IS 'Page (outside.documents.url).';
COMMENT ON COLUMN outside.all_outside_tools.tool_number IS 'Number of the tool on the page, from 0.';
COMMENT ON COLUMN outside.all_outside_tools.name IS 'Name as published.';
COMMENT ON COLUMN outside.all_outside_tools.tool_url IS 'Address that the page gives for the tool. NULL: not stated.';
COMMENT ON COLUMN outside.all_outside_tools.description IS 'Description as published. NULL: not stated.';
COMMENT ON COLUMN outside.all_outside_tools.category IS 'Category as published. NULL: not stated.';
COMMENT ON COLUMN outside.all_outside_tools.price IS 'Price as published. NULL: not stated.';
COMMENT ON COLUMN outside.all_outside_tools.rating IS 'Mean rating, on a scale up to rating_best. NULL: not stated.';
COMMENT ON COLUMN outside.all_outside_tools.rating_best IS 'Best possible rating. NULL: not stated.';
COMMENT ON COLUMN outside.all_outside_tools.ratings IS 'Number of ratings or reviews behind the mean. NULL: not stated exactly.';
COMMENT ON COLUMN outside.all_outside_tools.rank IS 'Number of its heading in a list. NULL: not numbered.';
COMMENT ON COLUMN outside.all_outside_tools.best_for IS 'What the page says it is best for, as published. NULL: not stated.';
COMMENT ON COLUMN outside.all_outside_tools.load_id IS 'The load that added the row, or changed it last (ops.loads.load_id).';
COMMENT ON COLUMN outside.all_outside_tools.claim IS 'Table of the tool. compares: compared_tools. describes: described_tools.';
