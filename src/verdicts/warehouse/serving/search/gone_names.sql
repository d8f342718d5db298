-- Tools that are gone or have another name now.
SELECT names.tool_id
FROM search.names
ANTI JOIN tools
    ON tools.tool_id = names.tool_id
    AND tools.name = names.name
    AND tools.slug IS NOT DISTINCT FROM names.slug
