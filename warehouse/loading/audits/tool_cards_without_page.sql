SELECT tool_cards.page_id, tool_cards.side
FROM tool_cards
ANTI JOIN pages USING (page_id)
