-- Rows of tools in reach.
SELECT reviews.* FROM reviews WHERE tool_id IN (SELECT tool_id FROM scope_tools)
