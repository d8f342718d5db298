-- Words that are new in their language.
WITH told AS MATERIALIZED (
    SELECT DISTINCT indexed.language, said.spelling
    FROM said
    INNER JOIN search.indexed USING (document)
)

SELECT told.language, told.spelling
FROM told
ANTI JOIN search.words ON told.language = words.language AND told.spelling = words.spelling
