CREATE TABLE IF NOT EXISTS internal.search_postings (
    word VARCHAR NOT NULL,
    document BIGINT NOT NULL,
    occurrences BIGINT NOT NULL
);

COMMENT ON TABLE internal.search_postings IS
    'A word of a review. Ordered by word, so that a search reads little of it; what later nights add follows after.';

COMMENT ON COLUMN internal.search_postings.word IS 'The word, lower case, without accents.';
COMMENT ON COLUMN internal.search_postings.document IS 'Review (internal.search_reviews.document).';
COMMENT ON COLUMN internal.search_postings.occurrences IS 'How often the review has it.';
