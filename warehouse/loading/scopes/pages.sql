-- Rows of pages in reach.
SELECT pages.* FROM pages WHERE page_id IN (SELECT page_id FROM scope_pages)
