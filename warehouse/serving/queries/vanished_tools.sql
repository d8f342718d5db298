-- question: Which tools are gone with all their pages, and since when?
-- parameter: since = -infinity: only tools that vanished from this moment on; those of unknown time are always told
-- picture: table
SELECT vanished_at, name, category, pages, last_seen_at, slug, tool_id
FROM vanished_tools
WHERE vanished_at IS NULL OR vanished_at >= $since::TIMESTAMPTZ
ORDER BY vanished_at DESC NULLS LAST, name, tool_id
