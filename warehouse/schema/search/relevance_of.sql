-- How relevant each text is for each word of the phrase that it has (BM25: rare words weigh more, long texts less).
-- A form of a word counts four fifths of the word itself. Fields are measured apart: a name against names.
CREATE OR REPLACE MACRO search.relevance_of(phrase) AS TABLE
WITH sizes AS (
    SELECT field, count(*) AS documents, avg(words) AS mean_words
    FROM search.indexed
    GROUP BY field
),

hits AS MATERIALIZED (
    SELECT terms.asked, postings.document, sum(postings.occurrences * CASE WHEN terms.is_exact THEN 1.0 ELSE 0.8 END) AS occurrences
    FROM search.postings
    INNER JOIN search.terms_of(phrase) AS terms USING (term)
    GROUP BY terms.asked, postings.document
),

told AS MATERIALIZED (
    SELECT hits.asked, hits.occurrences, indexed.document, indexed.field, indexed.id, indexed.words
    FROM hits
    INNER JOIN search.indexed USING (document)
),

-- Robertson and Walker's weight, with 1 added as Lucene does: never below 0.
weights AS (
    SELECT told.asked, told.field, ln(1 + (any_value(sizes.documents) - count(*) + 0.5) / (count(*) + 0.5)) AS weight
    FROM told
    INNER JOIN sizes USING (field)
    GROUP BY told.asked, told.field
)

-- k1 = 1.2 and b = 0.75, the usual constants.
SELECT
    told.field,
    told.id,
    told.asked,
    weights.weight * told.occurrences * 2.2
    / (told.occurrences + 1.2 * (0.25 + 0.75 * told.words / sizes.mean_words)) AS relevance
FROM told
INNER JOIN weights USING (asked, field)
INNER JOIN sizes USING (field);
