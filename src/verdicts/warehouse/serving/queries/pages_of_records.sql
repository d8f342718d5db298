-- question: From which pages are these reviews, tools and pages?
-- topic: trust
-- parameter: ids: their ids, with spaces between them; without them, of every page
-- parameter: limit = 50: at most this many rows, of each id the three newest pages
-- picture: table
WITH shown AS (
    SELECT page_id AS id, page_id FROM pages
    UNION ALL
    SELECT DISTINCT review_id, page_id FROM appearances WHERE $ids::VARCHAR IS NOT NULL
    UNION ALL
    SELECT DISTINCT tool_id, page_id FROM mentions WHERE tool_id IS NOT NULL AND $ids::VARCHAR IS NOT NULL
)

SELECT shown.id, pages.address, pages.title, count(*) OVER (PARTITION BY shown.id) AS pages, shown.page_id
FROM shown
INNER JOIN pages USING (page_id)
WHERE $ids::VARCHAR IS NULL OR shown.id IN (SELECT unnest(string_split($ids::VARCHAR, ' ')))
QUALIFY row_number() OVER (PARTITION BY shown.id ORDER BY pages.last_seen_at DESC, pages.url, shown.page_id) <= 3
ORDER BY shown.id, pages.last_seen_at DESC, pages.url, shown.page_id
LIMIT $limit::BIGINT
