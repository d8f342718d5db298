CREATE TABLE IF NOT EXISTS search.indexed (
    document INTEGER NOT NULL,
    field VARCHAR NOT NULL,
    id VARCHAR NOT NULL,
    language VARCHAR NOT NULL,
    words INTEGER NOT NULL,
    text_hash UBIGINT NOT NULL
);

COMMENT ON TABLE search.indexed IS
    'A text that the search knows: the text of a review, or a field of a tool.';

COMMENT ON COLUMN search.indexed.document IS 'Number of the text in the index. It is small, because every posting has it.';
COMMENT ON COLUMN search.indexed.field IS
    'What it is: review (reviews.text), or a field of a tool: name, slug, tagline, category, description.';
COMMENT ON COLUMN search.indexed.id IS 'reviews.review_id for a review, else tools.tool_id.';
COMMENT ON COLUMN search.indexed.language IS
    'Language of its words, by its English name: english, german. The most frequent small words show it.';
COMMENT ON COLUMN search.indexed.words IS 'Number of its words.';
COMMENT ON COLUMN search.indexed.text_hash IS 'Hash of the text: if it changes, the text is indexed again.';
