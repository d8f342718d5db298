SELECT DISTINCT tool_id FROM tool_cards SEMI JOIN touched_pages USING (page_id)
