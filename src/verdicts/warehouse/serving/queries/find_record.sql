-- question: Which page, tool or review has this address, path, title or id?
-- topic: crawl
-- parameter: words: the address, path or title of a page, or an id or its beginning; without it, no record
-- parameter: limit = 10: at most this many records
-- picture: table
WITH asked AS (
    SELECT lower(trim($words::VARCHAR)) AS words, regexp_full_match(words, '[0-9a-f]{1,32}') AS is_id
),

found AS (
    SELECT 'page' AS kind, page_id AS id
    FROM pages_called($words::VARCHAR, most := $limit::BIGINT)
    WHERE how <> 'beginning of the id'
    UNION
    SELECT called.kind, called.id
    FROM asked, ids_called(asked.words) AS called
    WHERE asked.is_id
)

SELECT
    found.kind,
    coalesce(pages.title, tools.name, reviewed.name) AS name,
    reviews.reviewer,
    reviews.score,
    reviews.verdict,
    coalesce(pages.address, tools.tagline, reviews.text) AS text,
    found.id
FROM found
LEFT JOIN pages ON found.kind = 'page' AND found.id = pages.page_id
LEFT JOIN tools ON found.kind = 'tool' AND found.id = tools.tool_id
LEFT JOIN reviews ON found.kind = 'review' AND found.id = reviews.review_id
LEFT JOIN tools AS reviewed ON reviews.tool_id = reviewed.tool_id
ORDER BY found.kind, name, found.id
LIMIT $limit::BIGINT
