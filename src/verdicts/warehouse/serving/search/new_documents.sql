-- New texts, and their language: the language of most of their small words if there are at least three, else English.
WITH lengths AS (
    SELECT document, sum(occurrences) AS words
    FROM said
    GROUP BY document
),

counted AS (
    SELECT said.document, small_words.language, sum(said.occurrences) AS words
    FROM said
    INNER JOIN small_words USING (spelling)
    GROUP BY said.document, small_words.language
),

languages AS (
    SELECT document, arg_max(language, (words, language = 'english', language)) AS language
    FROM counted
    WHERE words >= 3
    GROUP BY document
)

SELECT
    arrived.document,
    arrived.field,
    arrived.id,
    coalesce(languages.language, 'english') AS language,
    coalesce(lengths.words, 0) AS words,
    arrived.text_hash
FROM arrived
LEFT JOIN lengths USING (document)
LEFT JOIN languages USING (document)
