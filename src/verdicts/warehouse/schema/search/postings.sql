CREATE TABLE IF NOT EXISTS search.postings (
    term INTEGER NOT NULL,
    document INTEGER NOT NULL,
    occurrences INTEGER NOT NULL
);

COMMENT ON TABLE search.postings IS
    'A word of a text. Ordered by word, so that a search reads little of it; what later nights add follows after.';

COMMENT ON COLUMN search.postings.term IS 'The word (search.words.term).';
COMMENT ON COLUMN search.postings.document IS 'The text (search.indexed.document).';
COMMENT ON COLUMN search.postings.occurrences IS 'How often the text has it.';
