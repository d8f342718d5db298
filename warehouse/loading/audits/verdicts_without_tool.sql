SELECT verdicts.page_id, verdicts.side, verdicts.tool_id
FROM verdicts
ANTI JOIN tools USING (tool_id)
