SELECT tool_cards.page_id, tool_cards.side, tool_cards.tool_id
FROM tool_cards
ANTI JOIN tools USING (tool_id)
