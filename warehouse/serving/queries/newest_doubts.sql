-- question: Which contradictions and unreadable parts are the newest?
-- topic: trust
-- parameter: rule: only this rule or reason
-- parameter: limit = 50: at most this many
-- picture: table
SELECT first_seen_at, kind, rule, host, url, expected, found, page_id, tool_id
FROM evidence.doubts
WHERE $rule::VARCHAR IS NULL OR rule = $rule::VARCHAR
ORDER BY first_seen_at DESC, kind, rule, url, expected, found
LIMIT $limit::BIGINT
