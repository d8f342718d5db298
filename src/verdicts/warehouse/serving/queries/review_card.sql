-- question: What does this review say, about which tool, and how certain is that?
-- topic: reviews
-- parameter: review: its id or the beginning of it, also of one that was merged into it; without it, of every review
-- parameter: limit = 50: at most this many rows
-- picture: table
WITH states AS (
    SELECT review_id, max(valid_to) AS ended_at
    FROM history.review_history
    GROUP BY review_id
)

SELECT
    tools.name,
    tools.slug,
    reviews.reviewer,
    reviews.reviewer_source,
    reviews.score,
    reviews.verdict,
    reviews.text,
    reviews.attribution,
    reviews.confidence,
    reviews.appearances,
    reviews.hosts,
    reviews.first_seen_at,
    reviews.last_seen_at,
    reviews.is_shown,
    CASE WHEN NOT reviews.is_shown THEN states.ended_at END AS withdrawn_at,
    reviews.tool_id,
    reviews.review_id
FROM reviews
INNER JOIN tools USING (tool_id)
LEFT JOIN states USING (review_id)
WHERE
    $review::VARCHAR IS NULL
    OR reviews.review_id IN (SELECT review_id FROM evidence.review_aliases WHERE old_id = $review::VARCHAR UNION ALL SELECT $review::VARCHAR)
ORDER BY reviews.review_id
LIMIT $limit::BIGINT
