SELECT tool_aliases.alias_id, tool_aliases.tool_id
FROM tool_aliases
SEMI JOIN tools ON tool_aliases.alias_id = tools.tool_id
