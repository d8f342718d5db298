-- A tool as last seen.
SELECT tool_id AS tool, name, slug, host, tagline, category, category_group, vendor, entry, description, first_seen_at, last_seen_at
FROM tools
WHERE tool_id = :id
