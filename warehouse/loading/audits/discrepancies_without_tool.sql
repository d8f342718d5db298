SELECT discrepancies.page_id, discrepancies.rule, discrepancies.tool_id
FROM discrepancies
ANTI JOIN tools USING (tool_id)
WHERE discrepancies.tool_id IS NOT NULL
