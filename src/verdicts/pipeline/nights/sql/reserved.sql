SELECT count(*) AS reserved
FROM pages
WHERE is_reserved
