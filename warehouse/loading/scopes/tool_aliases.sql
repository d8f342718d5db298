-- Rows of tools in reach.
SELECT tool_aliases.* FROM tool_aliases WHERE tool_id IN (SELECT tool_id FROM scope_tools)
