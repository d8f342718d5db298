-- The words of the texts that arrived, by their numbers. Within a transaction DuckDB guesses small what it has not
-- committed, and would join all texts with all words of their language first: hours at a million reviews.
WITH told AS MATERIALIZED (
    SELECT said.document, said.spelling, said.occurrences, indexed.language
    FROM said
    INNER JOIN search.indexed USING (document)
)

SELECT words.term, told.document, told.occurrences
FROM told
INNER JOIN search.words ON told.language = words.language AND told.spelling = words.spelling
ORDER BY words.term, told.document
