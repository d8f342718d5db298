-- The most relevant tools that have at least one word of the phrase in name, slug, tagline, category or
-- description (BM25, names first).
CREATE OR REPLACE MACRO search_tools(phrase, most := 100) AS TABLE
WITH fields AS (
    SELECT
        unnest(['name', 'slug', 'tagline', 'category', 'description']) AS field,
        unnest([3.0, 1.0, 1.0, 1.0, 0.5]) AS weight
),

asked AS (
    SELECT len(list_distinct(search.words_of(phrase))) AS words
),

words AS (
    SELECT indexed.id AS tool_id, relevances.word, max(fields.weight * relevances.relevance) AS relevance
    FROM search.relevance_of(phrase) AS relevances
    INNER JOIN fields USING (field)
    INNER JOIN search.indexed USING (document)
    GROUP BY indexed.id, relevances.word
),

-- A tool with all words comes before a tool with only the rarest word.
relevant AS MATERIALIZED (
    SELECT words.tool_id, sum(words.relevance) * count(*) / any_value(asked.words) AS relevance
    FROM words, asked
    GROUP BY tool_id
),

-- A name equal to the phrase comes first. A similar name is found if nothing else matches.
called AS (
    SELECT tool_id, CASE WHEN how = 'near' THEN likeness ELSE 100 END AS relevance
    FROM tools_called(phrase, most := most)
    WHERE how IN ('name', 'slug') OR (how = 'near' AND NOT EXISTS (FROM relevant))
),

best AS MATERIALIZED (
    SELECT tool_id, coalesce(called.relevance, 0) + coalesce(relevant.relevance, 0) AS relevance
    FROM relevant
    FULL JOIN called USING (tool_id)
    ORDER BY relevance DESC, tool_id
    LIMIT most
)

SELECT
    best.relevance,
    tools.name,
    tools.slug,
    tools.tagline,
    tools.category,
    tools.tool_id
FROM best
INNER JOIN tools USING (tool_id)
ORDER BY best.relevance DESC, tools.tool_id;
