-- Rows of pages in reach.
SELECT tool_cards.* FROM tool_cards WHERE page_id IN (SELECT page_id FROM scope_pages)
