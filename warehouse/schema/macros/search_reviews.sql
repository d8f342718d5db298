-- The most relevant takes: those that have at least one word of the phrase, and those of the tools whose names have (BM25).
CREATE OR REPLACE MACRO search_reviews(phrase, most := 100) AS TABLE
WITH relevant AS MATERIALIZED (
    SELECT field, id, asked, relevance
    FROM search.relevance_of(phrase)
    WHERE field IN ('take', 'name')
),

asked AS (
    SELECT len(list_distinct(search.words_of(phrase))) AS words
),

named AS (
    SELECT id AS tool_id
    FROM relevant
    WHERE field = 'name'
    GROUP BY id
    ORDER BY sum(relevance) DESC, id
    LIMIT 100
),

-- What a take says counts twice what its tool is called.
words AS (
    SELECT id AS review_id, asked, relevance
    FROM relevant
    WHERE field = 'take'
    UNION ALL
    SELECT reviews.review_id, relevant.asked, relevant.relevance / 2
    FROM named
    INNER JOIN reviews USING (tool_id)
    INNER JOIN relevant ON reviews.tool_id = relevant.id AND relevant.field = 'name'
),

-- A take that has all words stands before one that has the rarest alone. Before texts are looked up: the best alone.
best AS MATERIALIZED (
    SELECT
        words.review_id,
        sum(words.relevance) * count(DISTINCT words.asked) / any_value(asked.words) AS relevance
    FROM words, asked
    GROUP BY words.review_id
    ORDER BY relevance DESC, words.review_id
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
