-- question: Which takes stand on this page, in reading order?
-- parameter: page: its page_id
-- parameter: limit = 50: so many takes
-- picture: table
SELECT
    tools.name,
    appearances.side,
    reviews.seat,
    reviews.score,
    reviews.verdict,
    appearances.text,
    appearances.attribution,
    appearances.match,
    reviews.tool_id,
    appearances.review_id
FROM appearances
INNER JOIN reviews USING (review_id)
INNER JOIN tools USING (tool_id)
WHERE appearances.page_id = $page::VARCHAR
ORDER BY appearances.position, appearances.review_id
LIMIT $limit::BIGINT
