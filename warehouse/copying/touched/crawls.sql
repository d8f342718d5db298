SELECT crawl_id FROM left_crawls
UNION
SELECT crawl_id FROM brought_crawls
UNION
SELECT crawl_id FROM left_fetches
UNION
SELECT crawl_id FROM brought_fetches
