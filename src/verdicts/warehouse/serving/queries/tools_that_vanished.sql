-- question: Which tools are no longer on any page, and since when?
-- topic: changes
-- parameter: since = -infinity: only tools that vanished from this moment on
-- parameter: limit: at most this many tools, the newest
-- needs: nights
-- picture: table
SELECT coalesce(vanished_at, last_seen_at) AS vanished_at, last_seen_at, name, slug, category, pages, tool_id
FROM history.vanished_tools
WHERE coalesce(vanished_at, last_seen_at) >= $since::TIMESTAMPTZ
ORDER BY vanished_at DESC, name, tool_id
LIMIT $limit::BIGINT
