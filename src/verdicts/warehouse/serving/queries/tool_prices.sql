-- question: What does this tool cost?
-- topic: prices
-- parameter: tool: its id, slug or name; without it, of every tool
-- parameter: limit = 50: at most this many rows
-- picture: table
SELECT
    tools.name,
    pricing_tiers.raw,
    pricing_tiers.* EXCLUDE (raw, tool_id, tier_number, content_hash, load_id),
    tools.slug,
    tools.tool_id
FROM pricing_tiers
INNER JOIN tools USING (tool_id)
WHERE ($tool::VARCHAR IS NULL OR tools.tool_id = $tool::VARCHAR)
ORDER BY tools.name, tools.tool_id, pricing_tiers.tier_number
LIMIT $limit::BIGINT
