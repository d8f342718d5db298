-- question: Which contradictions and unreadable parts are the newest?
-- topic: trust
-- parameter: rule: only this rule or reason
-- parameter: page: only contradictions on this page; its id, address or title
-- parameter: limit = 50: at most this many
-- picture: table
SELECT
    doubts.first_seen_at,
    doubts.kind,
    doubts.rule,
    tools.name,
    doubts.host,
    doubts.url,
    doubts.expected,
    doubts.found,
    doubts.page_id,
    tool_id
FROM evidence.doubts
LEFT JOIN tools USING (tool_id)
WHERE
    ($rule::VARCHAR IS NULL OR doubts.rule = $rule::VARCHAR)
    AND ($page::VARCHAR IS NULL OR doubts.page_id = $page::VARCHAR)
ORDER BY doubts.first_seen_at DESC, doubts.kind, doubts.rule, doubts.url, tools.name, doubts.expected, doubts.found, tool_id
LIMIT $limit::BIGINT
