-- question: Which tool has this id, beginning of an id, slug or name?
-- topic: tools
-- parameter: tool: one of these; without it, no tool
-- parameter: limit = 10: at most this many tools
-- picture: table
WITH called AS (
    SELECT row_number() OVER () AS place, how, tool_id
    FROM tools_called($tool::VARCHAR, most := $limit::BIGINT)
)

SELECT
    called.how,
    tools.name,
    tools.slug,
    tools.is_shared_name,
    tools.host,
    tools.category,
    tools.panel_verdict,
    tools.mean_score,
    tools.reviews,
    tools.pages,
    called.tool_id
FROM called
INNER JOIN tools USING (tool_id)
ORDER BY called.place
