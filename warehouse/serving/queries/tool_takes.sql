-- question: What does each seat say about this tool, the highest score first?
-- topic: takes
-- parameter: tool: its tool_id; without it, of every tool
-- parameter: limit = 50: at most this many takes
-- picture: strip seat+review_id score
SELECT seat, score, verdict, text, attribution, confidence, appearances, hosts, review_id
FROM reviews
WHERE ($tool::VARCHAR IS NULL OR tool_id = $tool::VARCHAR)
ORDER BY tool_id, score DESC NULLS LAST, review_id
LIMIT $limit::BIGINT
