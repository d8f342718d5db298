-- question: Which reviews does this page show, or did it show last if it is gone, in reading order?
-- topic: reviews
-- parameter: page: its id, address or title; without it, of every page
-- parameter: limit = 50: at most this many reviews
-- picture: table
WITH newest AS (
    SELECT page_id, max(last_seen_at) AS last_seen_at
    FROM appearances
    WHERE ($page::VARCHAR IS NULL OR page_id = $page::VARCHAR)
    GROUP BY page_id
)

SELECT
    tools.name,
    reviews.reviewer,
    reviews.score,
    reviews.verdict,
    appearances.text,
    appearances.attribution,
    appearances.side,
    appearances.match,
    reviews.is_shown,
    reviews.tool_id,
    appearances.page_id,
    appearances.review_id
FROM appearances
INNER JOIN newest USING (page_id, last_seen_at)
INNER JOIN reviews USING (review_id)
INNER JOIN tools USING (tool_id)
ORDER BY appearances.page_id, appearances.review_number, appearances.review_id
LIMIT $limit::BIGINT
