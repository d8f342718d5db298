-- Rows of addresses in reach.
SELECT documents.* FROM documents WHERE url IN (SELECT url FROM scope_urls)
