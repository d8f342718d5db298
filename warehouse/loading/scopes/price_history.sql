-- Rows of tools in reach.
SELECT price_history.* FROM price_history WHERE tool_id IN (SELECT tool_id FROM scope_tools)
