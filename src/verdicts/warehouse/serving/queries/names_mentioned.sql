-- question: Under which names do pages mention a tool, and on how many pages?
-- topic: sites
-- parameter: mentioned: the id, slug or name of a panel's tool, or its name on a page (name:NAME for that alone); without it, every tool
-- parameter: limit = 50: at most this many names
-- picture: table
SELECT
    mentions.name,
    count(DISTINCT mentions.page_id) AS pages,
    mentions.name_key,
    mentions.tool_id
FROM mentions
WHERE $mentioned::VARCHAR IS NULL OR $mentioned::VARCHAR IN (mentions.name_key, mentions.tool_id)
GROUP BY ALL
ORDER BY pages DESC, mentions.name, mentions.name_key, mentions.tool_id
LIMIT $limit::BIGINT
