-- question: Which takes are on this page, in reading order?
-- topic: takes
-- parameter: page: its id, address or title; without it, of every page
-- parameter: limit = 50: at most this many takes
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
    appearances.page_id,
    appearances.review_id
FROM appearances
INNER JOIN reviews USING (review_id)
INNER JOIN tools USING (tool_id)
WHERE ($page::VARCHAR IS NULL OR appearances.page_id = $page::VARCHAR)
ORDER BY appearances.page_id, appearances.position, appearances.review_id
LIMIT $limit::BIGINT
