-- Rows of addresses in reach.
SELECT comparison_rows.* FROM comparison_rows WHERE url IN (SELECT url FROM scope_urls)
