CREATE TABLE IF NOT EXISTS compared_tools (
    url VARCHAR NOT NULL,
    position BIGINT NOT NULL,
    name VARCHAR NOT NULL,
    tool_url VARCHAR,
    description VARCHAR,
    category VARCHAR,
    price VARCHAR,
    rating DOUBLE,
    rating_best DOUBLE,
    ratings BIGINT,
    load_id VARCHAR NOT NULL
);

COMMENT ON TABLE compared_tools IS
    'A tool on a comparison page of any other site, as schema.org statements or a table name it. No tool_id: names alone are no identity.';

COMMENT ON COLUMN compared_tools.url IS 'Page it stands on (documents.url).';
COMMENT ON COLUMN compared_tools.position IS 'Place among the tools of the page, from 0.';
COMMENT ON COLUMN compared_tools.name IS 'Name as published.';
COMMENT ON COLUMN compared_tools.tool_url IS 'Address that the page gives for the tool. NULL: none.';
COMMENT ON COLUMN compared_tools.description IS 'Description as published. NULL: none.';
COMMENT ON COLUMN compared_tools.category IS 'Category as published. NULL: none.';
COMMENT ON COLUMN compared_tools.price IS 'Price as published, amount and currency. NULL: none.';
COMMENT ON COLUMN compared_tools.rating IS 'Mean rating, on the scale that ends at rating_best. NULL: none, or no number.';
COMMENT ON COLUMN compared_tools.rating_best IS 'The best rating there can be. NULL: not stated (schema.org then means 5).';
COMMENT ON COLUMN compared_tools.ratings IS 'Ratings or reviews behind the mean. NULL: not stated.';
COMMENT ON COLUMN compared_tools.load_id IS 'The load that brought the row, or changed it last (loads.load_id).';
