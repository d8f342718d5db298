-- Rows of addresses in reach.
SELECT rejects.* FROM rejects WHERE url IN (SELECT url FROM scope_urls)
