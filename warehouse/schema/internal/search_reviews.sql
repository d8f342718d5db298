CREATE TABLE IF NOT EXISTS internal.search_reviews (
    document BIGINT NOT NULL,
    review_id VARCHAR NOT NULL,
    words BIGINT NOT NULL,
    text_hash UBIGINT NOT NULL
);

COMMENT ON TABLE internal.search_reviews IS
    'A review as the search index has it.';

COMMENT ON COLUMN internal.search_reviews.document IS 'Number of the review in the index; small, for the postings name it.';
COMMENT ON COLUMN internal.search_reviews.review_id IS 'Review (reviews.review_id).';
COMMENT ON COLUMN internal.search_reviews.words IS 'Words of its text.';
COMMENT ON COLUMN internal.search_reviews.text_hash IS 'Hash of its text: another text has to be indexed again.';
