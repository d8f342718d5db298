-- question: Which reviews does no page show any more, and since when?
-- topic: reviews
-- parameter: tool: its id, slug or name; without it, of every tool
-- parameter: limit = 50: at most this many reviews, the last withdrawn first
-- needs: nights
-- picture: table
WITH ended AS (
    SELECT review_id, max(valid_to) AS withdrawn_at
    FROM history.review_history
    GROUP BY review_id
)

SELECT
    ended.withdrawn_at,
    tools.name,
    reviews.reviewer,
    reviews.score,
    reviews.verdict,
    reviews.text,
    reviews.first_seen_at,
    reviews.tool_id,
    reviews.review_id
FROM reviews
INNER JOIN tools USING (tool_id)
LEFT JOIN ended USING (review_id)
WHERE NOT reviews.is_shown AND ($tool::VARCHAR IS NULL OR reviews.tool_id = $tool::VARCHAR)
ORDER BY ended.withdrawn_at DESC NULLS LAST, tools.name, reviews.review_id
LIMIT $limit::BIGINT
