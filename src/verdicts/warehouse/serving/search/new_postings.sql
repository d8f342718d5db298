-- The words of the new texts, by their numbers. DuckDB underestimates rows that are not committed, and would first join
-- all texts with all words of their language: hours for a million reviews.
WITH told AS MATERIALIZED (
    SELECT said.document, said.spelling, said.occurrences, indexed.language
    FROM said
    INNER JOIN search.indexed USING (document)
)

SELECT words.term, told.document, told.occurrences
FROM told
INNER JOIN search.words ON told.language = words.language AND told.spelling = words.spelling
ORDER BY words.term, told.document
