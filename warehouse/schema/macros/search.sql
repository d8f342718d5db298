-- Tools and takes that match a phrase: the most relevant tools, then the most relevant takes, up to the limit for each.
CREATE OR REPLACE MACRO search(phrase, most := 10) AS TABLE
WITH found AS (
    SELECT
        'tool' AS kind,
        1 AS place,
        relevance,
        name,
        slug,
        NULL AS seat,
        NULL AS score,
        NULL AS verdict,
        tagline AS text,
        tool_id AS id,
        tool_id
    FROM search_tools(phrase, most := most)
    UNION ALL
    SELECT
        'take',
        2,
        takes.relevance,
        takes.name,
        tools.slug,
        takes.seat,
        takes.score,
        takes.verdict,
        takes.text,
        takes.review_id,
        takes.tool_id
    FROM search_reviews(phrase, most := most) AS takes
    INNER JOIN tools USING (tool_id)
)

SELECT kind, relevance, name, slug, seat, score, verdict, text, id, tool_id
FROM found
ORDER BY place, relevance DESC, id;
