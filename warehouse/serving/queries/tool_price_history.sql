-- question: What did this tool cost before, the newest first?
-- topic: prices
-- parameter: tool: its tool_id; without it, of every tool
-- parameter: limit = 20: at most this many states
-- picture: table
SELECT pricing, valid_from, valid_to
FROM history.price_history
WHERE ($tool::VARCHAR IS NULL OR tool_id = $tool::VARCHAR) AND valid_to IS NOT NULL
ORDER BY valid_from DESC
LIMIT $limit::BIGINT
