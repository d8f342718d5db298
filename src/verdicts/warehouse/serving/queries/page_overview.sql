-- question: What is this page, and what was read from it?
-- topic: sites
-- parameter: page: its address, title or id; without it, every page
-- parameter: limit = 50: at most this many pages
-- picture: table
SELECT
    pages.title,
    pages.kind,
    pages.host,
    (SELECT count(*) FROM mentions WHERE mentions.page_id = pages.page_id) AS tools,
    (SELECT count(*) FROM outside.comparison_rows AS facts WHERE facts.page_id = pages.page_id) AS facts,
    (SELECT count(*) FROM outside.outside_reviews AS reviews WHERE reviews.page_id = pages.page_id) AS reviews,
    (
        SELECT string_agg(concat_ws(': ', rejects.reason, rejects.detail), '; ' ORDER BY rejects.reason, rejects.detail)
        FROM evidence.rejects
        WHERE rejects.url = pages.url
    ) AS not_read,
    pages.is_gone,
    pages.address,
    pages.author,
    pages.published_date,
    pages.reader,
    pages.rights,
    pages.first_seen_at,
    pages.last_seen_at,
    pages.url,
    pages.page_id
FROM pages
WHERE $page::VARCHAR IS NULL OR pages.page_id = $page::VARCHAR
ORDER BY pages.kind IN ('article', 'unread'), pages.is_gone, pages.url, pages.page_id
LIMIT $limit::BIGINT
