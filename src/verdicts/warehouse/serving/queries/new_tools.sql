-- question: Which tools came after the first night, and when?
-- topic: changes
-- parameter: since = -infinity: only tools first seen from this moment on
-- parameter: limit: at most this many tools, the newest
-- needs: nights
-- picture: table
SELECT first_seen_at, name, slug, category, entry, tool_id
FROM tools
WHERE
    first_seen_at >= $since::TIMESTAMPTZ
    AND first_seen_at > coalesce((SELECT min(finished_at) FROM ops.crawls), '-infinity'::TIMESTAMPTZ)
ORDER BY first_seen_at DESC, name, tool_id
LIMIT $limit::BIGINT
