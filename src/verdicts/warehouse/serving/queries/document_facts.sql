-- question: What does this page of another site say of each tool that it compares?
-- topic: sites
-- parameter: document: its address or title; without it, of every page of another site
-- parameter: limit = 50: at most this many rows
-- picture: table
SELECT
    tools.name,
    facts.section,
    facts.attribute,
    facts.value,
    facts.url
FROM outside.comparison_rows AS facts
LEFT JOIN outside.compared_tools AS tools
    ON facts.url = tools.url AND facts.tool_number = tools.tool_number AND facts.kind = 'attribute'
WHERE ($document::VARCHAR IS NULL OR facts.url = $document::VARCHAR)
ORDER BY facts.url, facts.attribute_number, facts.tool_number
LIMIT $limit::BIGINT
