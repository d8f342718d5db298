-- question: Which words of the corpus does a search for these words find?
-- topic: reviews
-- parameter: words: the words searched for
-- parameter: limit = 500: at most this many words, those that were asked for first
-- picture: table
SELECT words.spelling, terms.asked, terms.is_exact, words.stem, words.language
FROM search.terms_of($words::VARCHAR) AS terms
INNER JOIN search.words USING (term)
ORDER BY terms.is_exact DESC, words.spelling, words.language, terms.asked
LIMIT $limit::BIGINT
