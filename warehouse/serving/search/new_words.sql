-- Words that no text had before, in its language.
SELECT DISTINCT indexed.language, said.spelling
FROM said
INNER JOIN search.indexed USING (document)
ANTI JOIN search.words ON indexed.language = words.language AND said.spelling = words.spelling
