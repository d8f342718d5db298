-- Rows of pages in reach.
SELECT verdict_history.* FROM verdict_history WHERE page_id IN (SELECT page_id FROM scope_pages)
