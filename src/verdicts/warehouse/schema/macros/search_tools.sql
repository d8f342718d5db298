-- The most relevant tools that have at least one word of the phrase in name, slug, tagline, category or
-- description (BM25, names first).
CREATE OR REPLACE MACRO search_tools(phrase, most := 100) AS TABLE
SELECT
    best.relevance,
    tools.name,
    tools.slug,
    tools.tagline,
    tools.category,
    tools.tool_id
FROM search.best_of(phrase, most) AS best
INNER JOIN tools ON best.id = tools.tool_id
WHERE best.kind = 'tool'
ORDER BY best.relevance DESC, tools.tool_id;
