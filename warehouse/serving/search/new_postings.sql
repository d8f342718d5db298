-- The words of the texts that arrived, by their numbers.
SELECT words.term, said.document, said.occurrences
FROM said
INNER JOIN search.indexed USING (document)
INNER JOIN search.words ON indexed.language = words.language AND said.spelling = words.spelling
ORDER BY words.term, said.document
