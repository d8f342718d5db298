-- question: What do pages of other sites say about this tool, in values, descriptions and reviews?
-- topic: sites
-- parameter: mentioned: the id, slug or name of a panel's tool, or its name on a page (name:NAME for that alone); without it, every tool
-- parameter: limit = 100: at most this many statements
-- picture: table
WITH listed AS MATERIALIZED (
    FROM mentions_meant($mentioned::VARCHAR)
    WHERE NOT is_gone
),

statements AS (
    SELECT page_id, tool_number, 1 AS place, facts.attribute_number AS number, facts.attribute, facts.value
    FROM listed
    INNER JOIN outside.comparison_rows AS facts USING (page_id, tool_number)
    WHERE facts.kind = 'attribute'
    UNION ALL
    SELECT page_id, tool_number, 0, 0, 'description', description
    FROM listed
    WHERE description IS NOT NULL
    UNION ALL
    SELECT
        page_id,
        tool_number,
        2,
        reviews.review_number,
        concat_ws(' ', 'review by', coalesce(reviews.author, 'an unnamed author')),
        concat_ws(': ', concat_ws('/', reviews.rating, reviews.rating_best), reviews.text)
    FROM listed
    INNER JOIN outside.outside_reviews AS reviews USING (page_id, tool_number)
)

SELECT
    listed.name,
    statements.attribute,
    statements.value,
    listed.host,
    listed.title,
    listed.page_id
FROM statements
INNER JOIN listed USING (page_id, tool_number)
ORDER BY listed.host, listed.url, listed.page_id, statements.place, statements.number, statements.tool_number
LIMIT $limit::BIGINT
