-- Rows of tools in reach.
SELECT tools.* FROM tools WHERE tool_id IN (SELECT tool_id FROM scope_tools)
