-- The most relevant takes: those that have at least one word of the phrase, and those of the tools whose names have (BM25).
CREATE OR REPLACE MACRO search_reviews(phrase, most := 100) AS TABLE
WITH relevant AS MATERIALIZED (
    SELECT field, id, relevance
    FROM search.relevance_of(phrase)
    WHERE field IN ('take', 'name')
),

named AS (
    SELECT id AS tool_id, relevance
    FROM relevant
    WHERE field = 'name'
    ORDER BY relevance DESC, id
    LIMIT 100
),

parts AS (
    SELECT id AS review_id, relevance
    FROM relevant
    WHERE field = 'take'
    UNION ALL
    -- What a take says counts twice what its tool is called.
    SELECT reviews.review_id, named.relevance / 2
    FROM named
    INNER JOIN reviews USING (tool_id)
),

-- Before texts are looked up: those of the best alone.
best AS MATERIALIZED (
    SELECT review_id, sum(relevance) AS relevance
    FROM parts
    GROUP BY review_id
    ORDER BY relevance DESC, review_id
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
