-- Rows of addresses in reach.
SELECT outside_reviews.* FROM outside_reviews WHERE url IN (SELECT url FROM scope_urls)
