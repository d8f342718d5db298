-- What is known of an address that no page of the corpus has: why it was rejected, that its page has no panel, or which
-- pages of other hosts have its path. As in pages_called, scheme, `www.`, query and fragment do not count.
WITH every AS (
    SELECT 1 AS place, 'rejected' AS kind, url, concat_ws(': ', reason, detail) AS detail
    FROM evidence.rejects
    UNION ALL
    SELECT 2, 'other', url, title
    FROM outside.documents
    UNION ALL
    SELECT 3, 'elsewhere', url, title
    FROM pages
),

placed AS (
    SELECT *, rtrim(regexp_replace(lower(url), '^[a-z][a-z+.-]*://(www\.)?|[?#].*$', '', 'g'), '/') AS address
    FROM every
),

asked AS (
    SELECT
        rtrim(regexp_replace(lower(trim($words)), '^[a-z][a-z+.-]*://(www\.)?|[?#].*$', '', 'g'), '/') AS address,
        regexp_extract(address, '/.*') AS path
)

SELECT placed.kind, placed.url, placed.detail
FROM placed
CROSS JOIN asked
WHERE
    placed.address = asked.address
    OR (placed.kind = 'elsewhere' AND asked.path <> '' AND ends_with(placed.address, asked.path))
    OR (placed.kind <> 'elsewhere' AND NOT contains(asked.address, '.') AND ends_with(placed.address, '/' || ltrim(asked.address, '/')))
ORDER BY placed.place, placed.url
LIMIT 5
