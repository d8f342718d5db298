SELECT tool_aliases.alias_id, tool_aliases.tool_id
FROM tool_aliases
ANTI JOIN tools USING (tool_id)
