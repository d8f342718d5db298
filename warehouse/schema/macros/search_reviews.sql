-- The most relevant takes with at least one word of the phrase in their text or in the name of their tool (BM25).
CREATE OR REPLACE MACRO search_reviews(phrase, most := 100) AS TABLE
WITH asked AS (
    SELECT len(list_distinct(search.words_of(phrase))) AS words
),

relevant AS MATERIALIZED (
    SELECT field, document, word, relevance
    FROM search.relevance_of(phrase)
    WHERE field IN ('take', 'name')
),

named AS (
    SELECT indexed.id AS tool_id, sum(relevant.relevance) AS relevance, bit_or(relevant.word) AS words
    FROM relevant
    INNER JOIN search.indexed USING (document)
    WHERE relevant.field = 'name'
    GROUP BY indexed.id
    ORDER BY relevance DESC, indexed.id
    LIMIT 100
),

named_takes AS MATERIALIZED (
    SELECT reviews.review_id, named.relevance, named.words
    FROM named
    INNER JOIN reviews USING (tool_id)
),

-- The text of a take counts twice as much as the name of its tool.
parts AS (
    SELECT document, relevance, word AS words
    FROM relevant
    WHERE field = 'take'
    UNION ALL
    SELECT indexed.document, named_takes.relevance / 2, named_takes.words
    FROM named_takes
    INNER JOIN search.indexed ON named_takes.review_id = indexed.id AND indexed.field = 'take'
),

-- A take with all words comes before a take with only the rarest word.
ranked AS MATERIALIZED (
    SELECT document, sum(relevance) * bit_count(bit_or(words)) AS relevance
    FROM parts
    GROUP BY document
),

-- Only the best, and all that are as good as the last of them. Ids and texts are looked up for these alone.
best AS MATERIALIZED (
    SELECT ranked.relevance, indexed.id AS review_id
    FROM ranked
    INNER JOIN search.indexed USING (document)
    WHERE ranked.relevance >= (SELECT min(relevance) FROM (SELECT relevance FROM ranked ORDER BY relevance DESC LIMIT most))
    ORDER BY ranked.relevance DESC, indexed.id
    LIMIT most
)

SELECT
    best.relevance / asked.words AS relevance,
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
CROSS JOIN asked
ORDER BY best.relevance DESC, best.review_id;
