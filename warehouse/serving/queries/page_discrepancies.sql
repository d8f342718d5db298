-- question: Which statements on this page contradict each other?
-- topic: trust
-- parameter: page: its id, address or title; without it, of every page
-- parameter: limit = 50: at most this many rows
-- picture: table
SELECT
    discrepancies.rule,
    tools.name,
    discrepancies.expected,
    discrepancies.found,
    discrepancies.tool_id,
    discrepancies.page_id
FROM evidence.discrepancies
LEFT JOIN tools USING (tool_id)
WHERE ($page::VARCHAR IS NULL OR discrepancies.page_id = $page::VARCHAR)
ORDER BY discrepancies.page_id, discrepancies.rule, tools.name, discrepancies.expected, discrepancies.found
LIMIT $limit::BIGINT
