-- Rows of addresses in reach.
SELECT compared_tools.* FROM compared_tools WHERE url IN (SELECT url FROM scope_urls)
