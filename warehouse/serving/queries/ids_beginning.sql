-- question: Which takes, tools and pages have an id with this beginning?
-- topic: crawl
-- parameter: id: the first characters of an id; a former id leads to the present one; without it, any ids
-- parameter: limit = 20: at most this many ids
-- picture: table
WITH matches AS (
    SELECT 'take' AS kind, review_id AS id FROM reviews WHERE starts_with(review_id, coalesce($id::VARCHAR, ''))
    UNION
    SELECT 'take', review_id FROM evidence.review_aliases WHERE starts_with(old_id, coalesce($id::VARCHAR, ''))
    UNION
    SELECT 'tool', tool_id FROM tools WHERE starts_with(tool_id, coalesce($id::VARCHAR, ''))
    UNION
    SELECT 'tool', tool_id FROM evidence.tool_aliases WHERE starts_with(alias_id, coalesce($id::VARCHAR, ''))
    UNION
    SELECT 'page', page_id FROM pages WHERE starts_with(page_id, coalesce($id::VARCHAR, ''))
),

few AS (
    SELECT * FROM matches
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
