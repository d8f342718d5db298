CREATE TABLE IF NOT EXISTS outside_reviews (
    url VARCHAR NOT NULL,
    position BIGINT NOT NULL,
    tool_position BIGINT,
    author VARCHAR,
    rating DOUBLE,
    rating_best DOUBLE,
    published_on VARCHAR,
    text VARCHAR NOT NULL,
    load_id VARCHAR NOT NULL
);

COMMENT ON TABLE outside_reviews IS
    'A review that a page of any other site states of a tool. Not folded: only panel takes are repeated from page to page.';

COMMENT ON COLUMN outside_reviews.url IS 'Page it stands on (documents.url).';
COMMENT ON COLUMN outside_reviews.position IS 'Place among the reviews of the page, from 0.';
COMMENT ON COLUMN outside_reviews.tool_position IS 'The tool (compared_tools.position). NULL: the page does not say whose it is.';
COMMENT ON COLUMN outside_reviews.author IS 'Author as published. NULL: none.';
COMMENT ON COLUMN outside_reviews.rating IS 'Rating, on the scale that ends at rating_best. NULL: none, or no number.';
COMMENT ON COLUMN outside_reviews.rating_best IS 'The best rating there can be. NULL: not stated (schema.org then means 5).';
COMMENT ON COLUMN outside_reviews.published_on IS 'Date as published. NULL: none.';
COMMENT ON COLUMN outside_reviews.text IS 'The review, words as published.';
COMMENT ON COLUMN outside_reviews.load_id IS 'The load that brought the row, or changed it last (loads.load_id).';
