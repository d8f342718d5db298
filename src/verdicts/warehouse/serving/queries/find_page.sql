-- question: Which page has this address, path, id, beginning of an id, or title?
-- topic: crawl
-- parameter: page: one of these; without it, no page
-- parameter: limit = 10: at most this many pages
-- picture: table
SELECT how, title, url, page_id
FROM pages_called($page::VARCHAR, most := $limit::BIGINT)
ORDER BY title, page_id
