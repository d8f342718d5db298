-- Names and slugs of tools that are not in the index.
SELECT tool_id, name, slug, search.key_of(name) AS name_key, search.key_of(slug) AS slug_key
FROM tools
ANTI JOIN search.names 
    ON tools.tool_id = names.tool_id
    AND tools.name = names.name
    AND tools.slug IS NOT DISTINCT FROM names.slug
