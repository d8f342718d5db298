-- question: What did this tool cost before, the newest first?
-- topic: prices
-- parameter: tool: its id, slug or name; without it, of every tool
-- parameter: limit = 20: at most this many states
-- needs: nights
-- picture: table
SELECT tools.name, price_history.pricing, price_history.valid_from, price_history.valid_to, tools.tool_id
FROM history.price_history
INNER JOIN tools USING (tool_id)
WHERE ($tool::VARCHAR IS NULL OR tools.tool_id = $tool::VARCHAR) AND price_history.valid_to IS NOT NULL
ORDER BY price_history.valid_from DESC, tools.name, tools.tool_id
LIMIT $limit::BIGINT
