-- The words of a phrase, each with all its forms in the texts. If no text has the word, words with its stem are
-- its forms, or words that begin with it.
CREATE OR REPLACE MACRO search.terms_of(phrase) AS TABLE
WITH asked AS (
    SELECT DISTINCT unnest(search.words_of(phrase)) AS asked
),

known AS (
    SELECT DISTINCT asked.asked, words.language, words.stem
    FROM asked
    INNER JOIN search.words ON asked.asked = words.word
),

unknown AS (
    SELECT asked.asked
    FROM asked
    ANTI JOIN known USING (asked)
),

-- crashing has the stem crash and up to four more letters; policy and policies have the stem polici.
guessed AS (
    SELECT DISTINCT unknown.asked, words.language, words.stem
    FROM unknown
    INNER JOIN search.words
        ON words.stem = unknown.asked
        OR words.stem = regexp_replace(unknown.asked, 'y$', 'i')
        OR (starts_with(unknown.asked, words.stem) AND len(words.stem) >= greatest(4, len(unknown.asked) - 4))
    QUALIFY rank() OVER (PARTITION BY unknown.asked ORDER BY len(words.stem) DESC) = 1
),

stems AS (
    SELECT asked, language, stem
    FROM known
    UNION ALL
    SELECT asked, language, stem
    FROM guessed
)

SELECT DISTINCT stems.asked, words.term, stems.asked = words.word AS is_exact
FROM stems
INNER JOIN search.words USING (language, stem)
UNION ALL
SELECT unknown.asked, words.term, false
FROM unknown
ANTI JOIN guessed USING (asked)
INNER JOIN search.words ON starts_with(words.word, unknown.asked)
WHERE len(unknown.asked) >= 4;
