-- question: Which tools are these words about, by name, slug, tagline, category or description, names first?
-- topic: tools
-- parameter: words: at least one of these
-- parameter: limit = 10: at most this many tools
-- picture: table
SELECT
    found.name,
    found.category,
    tools.panel_verdict,
    tools.mean_score,
    tools.reviews,
    found.tagline,
    found.relevance,
    found.slug,
    tools.is_shared_name,
    found.tool_id
FROM search_tools($words::VARCHAR, most := $limit::BIGINT) AS found
INNER JOIN tools USING (tool_id)
ORDER BY found.relevance DESC, found.tool_id
