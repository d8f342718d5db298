-- question: Which tools changed their pricing, and when?
-- topic: changes
-- parameter: since = -infinity: only changes from this moment on
-- parameter: limit: at most this many changes, the newest
-- needs: nights
-- picture: table
SELECT changed_at, name, category, pricing_before, pricing_after, tool_id
FROM price_changes
WHERE changed_at >= $since::TIMESTAMPTZ
ORDER BY changed_at DESC, name, tool_id
LIMIT $limit::BIGINT
