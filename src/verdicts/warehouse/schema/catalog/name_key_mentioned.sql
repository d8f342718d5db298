-- The key of the tools that pages mention under a name.
SELECT name_key
FROM mentions
WHERE name_key = $name_key OR lower(name) = lower(trim($words))
ORDER BY lower(name) = lower(trim($words)) DESC, name_key
LIMIT 1
