-- What tools are called that are not in the index under that name and slug.
SELECT tool_id, name, slug, search.key_of(name) AS name_key, search.key_of(slug) AS slug_key
FROM tools
ANTI JOIN search.names 
    ON tools.tool_id = names.tool_id
    AND tools.name = names.name
    AND tools.slug IS NOT DISTINCT FROM names.slug
