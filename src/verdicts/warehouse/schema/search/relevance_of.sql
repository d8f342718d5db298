-- Relevance of each text for each word of the phrase in it (BM25: rare words weigh more, long texts less).
-- Another form of a word counts four fifths of the word. Fields are measured separately: a name against names. Each word
-- has its own bit in `word`, to count the words of a text fast.
CREATE OR REPLACE MACRO search.relevance_of(phrase) AS TABLE
WITH sizes AS (
    SELECT field, count(*)::DOUBLE AS documents, avg(words) AS mean_words
    FROM search.indexed
    GROUP BY field
),

terms AS MATERIALIZED (
    SELECT term, asked, CASE WHEN is_exact THEN 1.0 ELSE 0.8 END AS share
    FROM search.terms_of(phrase)
),

frequencies AS MATERIALIZED (
    SELECT terms.asked, count(*) AS postings
    FROM search.postings
    INNER JOIN terms USING (term)
    GROUP BY terms.asked
),

-- The rarest words first, until they are in 400,000 texts together: more common words (the, and) add little and cost most.
telling AS MATERIALIZED (
    SELECT terms.*
    FROM terms
    INNER JOIN (
        SELECT asked, postings, sum(postings) OVER (ORDER BY postings, asked) AS texts
        FROM frequencies
    ) AS ranked USING (asked)
    WHERE ranked.texts <= 400000 OR ranked.texts = ranked.postings
),

hits AS MATERIALIZED (
    SELECT telling.asked, postings.document, sum(postings.occurrences * telling.share)::DOUBLE AS occurrences
    FROM search.postings
    INNER JOIN telling USING (term)
    GROUP BY telling.asked, postings.document
),

told AS MATERIALIZED (
    SELECT hits.asked, hits.occurrences, hits.document, indexed.field, indexed.words
    FROM hits
    INNER JOIN search.indexed USING (document)
),

-- Robertson and Walker's weight plus 1, as in Lucene: never below 0. Words after the sixtieth share a bit.
weights AS (
    SELECT
        told.asked,
        told.field,
        any_value(sizes.mean_words) AS mean_words,
        1::BIGINT << least(60, dense_rank() OVER (ORDER BY told.asked) - 1) AS word,
        ln(1 + (any_value(sizes.documents) - count(*) + 0.5) / (count(*) + 0.5)) AS weight
    FROM told
    INNER JOIN sizes USING (field)
    GROUP BY told.asked, told.field
)

-- k1 = 1.2 and b = 0.75, the usual constants.
SELECT
    told.field,
    told.document,
    weights.word,
    weights.weight * told.occurrences * 2.2
    / (told.occurrences + 1.2 * (0.25 + 0.75 * told.words / weights.mean_words)) AS relevance
FROM told
INNER JOIN weights USING (asked, field);
