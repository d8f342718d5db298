-- question: Which reviews changed, were withdrawn or came back, and when?
-- topic: changes
-- parameter: tool: its id, slug or name; without it, of every tool
-- parameter: review: its id; without it, of every review
-- parameter: since = -infinity: only changes from this moment on
-- parameter: limit = 50: at most this many changes, the newest
-- needs: nights
-- picture: table
SELECT
    changed_at,
    name,
    change,
    coalesce(reviewer_after, reviewer_before) AS reviewer,
    score_before,
    score_after,
    verdict_before,
    verdict_after,
    text_before IS DISTINCT FROM text_after AND text_after IS NOT NULL AS is_reworded,
    coalesce(text_after, text_before) AS text,
    tool_id,
    review_id
FROM review_changes
WHERE
    ($tool::VARCHAR IS NULL OR tool_id = $tool::VARCHAR)
    AND ($review::VARCHAR IS NULL OR review_id = $review::VARCHAR)
    AND changed_at >= $since::TIMESTAMPTZ
ORDER BY changed_at DESC, name, review_id
LIMIT $limit::BIGINT
