-- question: Which takes, tools and pages have an id with this beginning?
-- topic: crawl
-- parameter: id: the first characters of an id; a former id leads to the present one; without it, any ids
-- parameter: limit = 20: at most this many ids
-- picture: table
WITH few AS (
    SELECT * FROM ids_called(coalesce($id::VARCHAR, ''))
    ORDER BY kind, id
    LIMIT $limit::BIGINT
)

SELECT
    few.kind,
    few.id,
    coalesce(tools.name, pages.title, reviewed.name) AS called,
    reviews.seat
FROM few
LEFT JOIN tools ON few.kind = 'tool' AND few.id = tools.tool_id
LEFT JOIN pages ON few.kind = 'page' AND few.id = pages.page_id
LEFT JOIN reviews ON few.kind = 'take' AND few.id = reviews.review_id
LEFT JOIN tools AS reviewed ON reviews.tool_id = reviewed.tool_id
ORDER BY few.kind, few.id
