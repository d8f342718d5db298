-- Every text that is searched. Withdrawn reviews are not.
SELECT 'review' AS field, review_id AS id, text
FROM reviews
WHERE is_shown
UNION ALL
SELECT 'name', tool_id, name
FROM tools
UNION ALL
SELECT 'slug', tool_id, slug
FROM tools
WHERE slug IS NOT NULL
UNION ALL
SELECT 'tagline', tool_id, tagline
FROM tools
WHERE tagline IS NOT NULL
UNION ALL
SELECT 'category', tool_id, concat_ws(' ', category, nullif(category_group, category))
FROM tools
WHERE category IS NOT NULL
UNION ALL
SELECT 'description', tool_id, description
FROM tools
WHERE description IS NOT NULL
