SELECT price_history.tool_id, price_history.valid_from
FROM price_history
ANTI JOIN tools USING (tool_id)
