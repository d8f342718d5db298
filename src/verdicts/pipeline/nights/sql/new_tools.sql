-- Tools that the copy before has under no id, newest first.
WITH renamed AS (
    SELECT tool_aliases.tool_id
    FROM evidence.tool_aliases
    INNER JOIN before.tools AS earlier ON tool_aliases.alias_id = earlier.tool_id
)

SELECT count(*) OVER () AS total, tools.name, tools.category
FROM tools
ANTI JOIN before.tools AS earlier ON tools.tool_id = earlier.tool_id
ANTI JOIN renamed ON tools.tool_id = renamed.tool_id
ORDER BY tools.first_seen_at DESC, tools.name, tools.tool_id
LIMIT $most::BIGINT
