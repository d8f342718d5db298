-- question: What does this page of another site say about each tool that it mentions?
-- topic: sites
-- parameter: page: its address, title or id; without it, every page
-- parameter: limit = 50: at most this many values
-- picture: table
SELECT
    mentions.name,
    facts.section,
    facts.attribute,
    facts.value,
    mentions.name_key,
    facts.page_id
FROM outside.comparison_rows AS facts
LEFT JOIN mentions
    ON facts.page_id = mentions.page_id AND facts.tool_number = mentions.tool_number AND facts.kind = 'attribute'
WHERE $page::VARCHAR IS NULL OR facts.page_id = $page::VARCHAR
ORDER BY facts.page_id, facts.attribute_number, facts.tool_number
LIMIT $limit::BIGINT
