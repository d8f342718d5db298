-- question: Which pages of other sites are there, and how much was read from each?
-- topic: sites
-- parameter: limit = 50: at most this many pages, those with tools first
-- picture: table
SELECT
    pages.title,
    pages.kind,
    pages.host,
    pages.is_gone,
    (SELECT count(*) FROM mentions WHERE mentions.page_id = pages.page_id) AS tools,
    (SELECT count(*) FROM outside.comparison_rows AS facts WHERE facts.page_id = pages.page_id) AS facts,
    (SELECT count(*) FROM outside.outside_reviews AS reviews WHERE reviews.page_id = pages.page_id) AS reviews,
    pages.last_seen_at,
    pages.address,
    pages.page_id
FROM other_pages() AS pages
ORDER BY pages.is_gone, pages.kind IN ('article', 'unread'), pages.last_seen_at DESC, pages.url, pages.page_id
LIMIT $limit::BIGINT
