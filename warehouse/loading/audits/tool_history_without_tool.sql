SELECT tool_history.tool_id, tool_history.valid_from
FROM tool_history
ANTI JOIN tools USING (tool_id)
