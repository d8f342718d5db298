SELECT verdict_history.page_id, verdict_history.side, verdict_history.tool_id
FROM verdict_history
ANTI JOIN tools USING (tool_id)
