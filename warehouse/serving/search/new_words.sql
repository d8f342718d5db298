-- Words that no text had before, in its language.
SELECT DISTINCT documents.language, said.spelling
FROM said
INNER JOIN search.documents USING (document)
ANTI JOIN search.words ON documents.language = words.language AND said.spelling = words.spelling
