CREATE OR REPLACE VIEW all_outside_tools AS
SELECT *, 'compares' AS claim FROM compared_tools
UNION ALL BY NAME
SELECT *, 'describes' AS claim FROM described_tools;

COMMENT ON VIEW all_outside_tools IS
    'Every tool that a page of another site names: those it compares and those it describes, with the columns of both tables.';

COMMENT ON COLUMN all_outside_tools.url IS 'Page it stands on (documents.url).';
COMMENT ON COLUMN all_outside_tools.position IS 'Place among the tools of the page, from 0.';
COMMENT ON COLUMN all_outside_tools.name IS 'Name as published.';
COMMENT ON COLUMN all_outside_tools.tool_url IS 'Address that the page gives for the tool. NULL: none.';
COMMENT ON COLUMN all_outside_tools.description IS 'Description as published. NULL: none.';
COMMENT ON COLUMN all_outside_tools.category IS 'Category as published. NULL: none.';
COMMENT ON COLUMN all_outside_tools.price IS 'Price as published. NULL: none.';
COMMENT ON COLUMN all_outside_tools.rating IS 'Mean rating, on the scale that ends at rating_best. NULL: none.';
COMMENT ON COLUMN all_outside_tools.rating_best IS 'The best rating there can be. NULL: not stated.';
COMMENT ON COLUMN all_outside_tools.ratings IS 'Ratings or reviews behind the mean. NULL: not stated exactly.';
COMMENT ON COLUMN all_outside_tools.rank IS 'The number that its heading has in a list. NULL: none.';
COMMENT ON COLUMN all_outside_tools.best_for IS 'What the page says it is best for, as published. NULL: nothing.';
COMMENT ON COLUMN all_outside_tools.load_id IS 'The load that brought the row, or changed it last (loads.load_id).';
COMMENT ON COLUMN all_outside_tools.claim IS 'compares: it stands in compared_tools. describes: in described_tools.';
