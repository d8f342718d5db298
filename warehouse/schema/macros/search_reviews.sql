-- The most relevant reviews that have at least one word of the phrase (BM25: rare words weigh more, long texts less).
CREATE OR REPLACE MACRO search_reviews(phrase, most := 100) AS TABLE
WITH asked AS (
    SELECT DISTINCT unnest(internal.words_of(phrase)) AS word
),

corpus AS (
    SELECT count(*) AS documents, avg(words) AS mean_words
    FROM internal.search_reviews
),

hits AS (
    SELECT search_postings.*
    FROM internal.search_postings
    SEMI JOIN asked USING (word)
),

-- Robertson and Walker's weight, with 1 added as Lucene does: never below 0.
weights AS (
    SELECT hits.word, ln(1 + (any_value(corpus.documents) - count(*) + 0.5) / (count(*) + 0.5)) AS weight
    FROM hits, corpus
    GROUP BY hits.word
),

-- k1 = 1.2 and b = 0.75, the usual constants.
ranked AS (
    SELECT
        hits.document,
        sum(
            weights.weight * hits.occurrences * 2.2
            / (hits.occurrences + 1.2 * (0.25 + 0.75 * search_reviews.words / corpus.mean_words))
        ) AS relevance
    FROM corpus, hits
    INNER JOIN weights USING (word)
    INNER JOIN internal.search_reviews USING (document)
    GROUP BY hits.document
),

-- Before texts are looked up: those of the best alone.
best AS MATERIALIZED (
    SELECT ranked.relevance, search_reviews.review_id
    FROM ranked
    INNER JOIN internal.search_reviews USING (document)
    ORDER BY ranked.relevance DESC, search_reviews.review_id
    LIMIT most
)

SELECT
    best.relevance,
    tools.name,
    reviews.seat,
    reviews.score,
    reviews.verdict,
    reviews.text,
    reviews.review_id,
    reviews.tool_id
FROM best
INNER JOIN reviews USING (review_id)
INNER JOIN tools USING (tool_id)
ORDER BY best.relevance DESC, best.review_id;
