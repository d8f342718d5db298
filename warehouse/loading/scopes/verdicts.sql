-- Rows of pages in reach.
SELECT verdicts.* FROM verdicts WHERE page_id IN (SELECT page_id FROM scope_pages)
