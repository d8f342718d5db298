SELECT host
FROM pages
WHERE host IS NOT NULL
UNION
SELECT host
FROM outside.documents
WHERE host IS NOT NULL
ORDER BY host
