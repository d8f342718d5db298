SELECT pricing_tiers.tool_id, pricing_tiers.position
FROM pricing_tiers
ANTI JOIN tools USING (tool_id)
