CREATE TABLE IF NOT EXISTS search.words (
    term INTEGER NOT NULL,
    language VARCHAR NOT NULL,
    spelling VARCHAR NOT NULL,
    word VARCHAR NOT NULL,
    stem VARCHAR NOT NULL
);

COMMENT ON TABLE search.words IS
    'A word that some text has, and its stem by the rules of Snowball for the language of that text. The stem is made '
    'when the word is indexed, so that a search needs SQL alone.';

COMMENT ON COLUMN search.words.term IS 'Number of the word; words of one stem have neighbouring numbers.';
COMMENT ON COLUMN search.words.language IS 'Language of the texts (search.indexed.language).';
COMMENT ON COLUMN search.words.spelling IS 'The word in lower case: réponses.';
COMMENT ON COLUMN search.words.word IS 'The same without accents, as a search uses it: reponses.';
COMMENT ON COLUMN search.words.stem IS 'Common stem of all its forms, without accents: repons.';
