-- question: How does each reviewer score the two tools of this page?
-- topic: panel
-- parameter: page: its id, address or title; without it, of every page
-- parameter: limit = 50: at most this many rows
-- picture: table
WITH cards AS (
    SELECT page_id, side, tool_id
    FROM evidence.tool_cards
    WHERE ($page::VARCHAR IS NULL OR page_id = $page::VARCHAR)
),

opinions AS (
    SELECT cards.page_id, cards.side, reviews.reviewer, reviews.score
    FROM reviews
    INNER JOIN cards USING (tool_id)
    WHERE reviews.is_shown AND reviews.score IS NOT NULL AND reviews.reviewer IS NOT NULL
)

SELECT
    reviewer,
    avg(score) FILTER (WHERE side = 'a') AS score_a,
    avg(score) FILTER (WHERE side = 'b') AS score_b,
    score_a - score_b AS ahead,
    page_id
FROM opinions
GROUP BY page_id, reviewer
ORDER BY page_id, ahead DESC NULLS LAST, score_a DESC NULLS LAST, reviewer
LIMIT $limit::BIGINT
