-- question: What does this tool cost?
-- topic: prices
-- parameter: tool: its tool_id; without it, of every tool
-- parameter: limit = 50: at most this many rows
-- picture: table
SELECT plan, kind, is_free, amount, amount_max, is_from, currency, period, unit, billing, license, raw
FROM pricing_tiers
WHERE ($tool::VARCHAR IS NULL OR tool_id = $tool::VARCHAR)
ORDER BY tool_id, position
LIMIT $limit::BIGINT
