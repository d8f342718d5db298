-- question: Which other tools have the name of this one?
-- topic: tools
-- parameter: tool: its id, slug or name; without it, of every tool
-- parameter: limit = 20: at most this many tools
-- picture: table
SELECT DISTINCT others.name, others.slug, others.host, others.panel_verdict, others.mean_score, others.scored_reviews, others.tool_id
FROM tools AS this
INNER JOIN tools AS others ON this.name = others.name AND this.tool_id <> others.tool_id
WHERE ($tool::VARCHAR IS NULL OR this.tool_id = $tool::VARCHAR)
ORDER BY others.slug, others.tool_id
LIMIT $limit::BIGINT
