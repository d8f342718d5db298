-- Rows of tools in reach.
SELECT pricing_tiers.* FROM pricing_tiers WHERE tool_id IN (SELECT tool_id FROM scope_tools)
