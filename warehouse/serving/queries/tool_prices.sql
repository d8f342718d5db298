-- question: What does this tool cost?
-- parameter: tool: its tool_id
-- picture: table
SELECT plan, kind, is_free, amount, amount_max, is_from, currency, period, unit, billing, license, raw
FROM pricing_tiers
WHERE tool_id = $tool::VARCHAR
ORDER BY position
