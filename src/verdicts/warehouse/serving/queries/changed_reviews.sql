-- question: Which takes changed, were withdrawn or came back, and when?
-- topic: changes
-- parameter: tool: its id, slug or name; without it, of every tool
-- parameter: take: its id; without it, of every take
-- parameter: since = -infinity: only changes from this moment on
-- parameter: limit = 50: at most this many changes, the newest
-- needs: nights
-- picture: table
SELECT
    changed_at,
    name,
    change,
    coalesce(seat_after, seat_before) AS seat,
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
    AND ($take::VARCHAR IS NULL OR review_id = $take::VARCHAR)
    AND changed_at >= $since::TIMESTAMPTZ
ORDER BY changed_at DESC, name, review_id
LIMIT $limit::BIGINT
