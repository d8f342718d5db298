-- The best tools and the best reviews for a phrase. Both are ranked here, so that one search measures its words once.
CREATE OR REPLACE MACRO search.best_of(phrase, most) AS TABLE
WITH fields AS (
    SELECT
        unnest(['name', 'slug', 'tagline', 'category', 'description']) AS field,
        unnest([3.0, 1.0, 1.0, 1.0, 0.5]) AS weight
),

asked AS (
    SELECT len(list_distinct(search.words_of(phrase))) AS words
),

relevances AS MATERIALIZED (
    SELECT field, document, word, relevance
    FROM search.relevance_of(phrase)
),

words AS (
    SELECT indexed.id AS tool_id, relevances.word, max(fields.weight * relevances.relevance) AS relevance
    FROM relevances
    INNER JOIN fields USING (field)
    INNER JOIN search.indexed USING (document)
    GROUP BY indexed.id, relevances.word
),

-- A tool with all words comes before a tool with only the rarest word. Rounded, because the order of a sum moves its
-- last digits, and with them what is equally good.
relevant AS MATERIALIZED (
    SELECT words.tool_id, round(sum(words.relevance) * count(*) / any_value(asked.words), 6) AS relevance
    FROM words, asked
    GROUP BY tool_id
),

-- A name equal to the phrase comes first. A similar name is found if nothing else matches.
called AS (
    SELECT tool_id, CASE WHEN how = 'near' THEN likeness ELSE 100 END AS relevance
    FROM tools_called(phrase, most := most)
    WHERE how IN ('name', 'slug') OR (how = 'near' AND NOT EXISTS (FROM relevant))
),

best_tools AS (
    SELECT tool_id, coalesce(called.relevance, 0) + coalesce(relevant.relevance, 0) AS relevance
    FROM relevant
    FULL JOIN called USING (tool_id)
    ORDER BY relevance DESC, tool_id
    LIMIT most
),

named AS (
    SELECT indexed.id AS tool_id, round(sum(relevances.relevance), 6) AS relevance, bit_or(relevances.word) AS words
    FROM relevances
    INNER JOIN search.indexed USING (document)
    WHERE relevances.field = 'name'
    GROUP BY indexed.id
    ORDER BY relevance DESC, indexed.id
    LIMIT 100
),

named_reviews AS MATERIALIZED (
    SELECT reviews.review_id, named.relevance, named.words
    FROM named
    INNER JOIN reviews USING (tool_id)
),

-- The text of a review counts twice as much as the name of its tool.
parts AS (
    SELECT document, relevance, word AS words
    FROM relevances
    WHERE field = 'review'
    UNION ALL
    SELECT indexed.document, named_reviews.relevance / 2, named_reviews.words
    FROM named_reviews
    INNER JOIN search.indexed ON named_reviews.review_id = indexed.id AND indexed.field = 'review'
),

-- A review with all words comes before a review with only the rarest word.
ranked AS MATERIALIZED (
    SELECT document, round(sum(relevance) * bit_count(bit_or(words)), 6) AS relevance
    FROM parts
    GROUP BY document
),

-- Only the best, and all that are as good as the last of them. Ids are looked up for these alone.
best_reviews AS (
    SELECT ranked.relevance / asked.words AS relevance, indexed.id AS review_id
    FROM ranked
    INNER JOIN search.indexed USING (document)
    CROSS JOIN asked
    WHERE ranked.relevance >= (SELECT min(relevance) FROM (SELECT relevance FROM ranked ORDER BY relevance DESC LIMIT most))
    ORDER BY ranked.relevance DESC, indexed.id
    LIMIT most
)

SELECT 'tool' AS kind, tool_id AS id, relevance FROM best_tools
UNION ALL
SELECT 'review', review_id, relevance FROM best_reviews;
