-- Rows of tools in reach.
SELECT tool_history.* FROM tool_history WHERE tool_id IN (SELECT tool_id FROM scope_tools)
