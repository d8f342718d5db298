-- What is known of an address or title that no page of the corpus has: why it was rejected, which pages of other hosts
-- have its path, which pages have a similar title. As in pages_called, scheme,
-- `www.`, query and fragment do not count.
WITH every AS (
    SELECT 'rejected' AS kind, url, concat_ws(': ', reason, detail) AS detail
    FROM evidence.rejects
    UNION ALL
    SELECT 'page', url, title
    FROM pages
),

placed AS (
    SELECT *, rtrim(regexp_replace(lower(url), '^[a-z][a-z+.-]*://(www\.)?|[?#].*$', '', 'g'), '/') AS address
    FROM every
),

asked AS (
    SELECT
        rtrim(regexp_replace(lower(trim($words)), '^[a-z][a-z+.-]*://(www\.)?|[?#].*$', '', 'g'), '/') AS address,
        regexp_extract(address, '/.*') AS path,
        search.key_of(regexp_extract(address, '[^/]*$')) AS key
),

known AS (
    SELECT
        CASE
            WHEN placed.kind <> 'page'
                THEN CASE WHEN asked.address IN (placed.address, regexp_extract(placed.address, '/.*')) THEN placed.kind END
            WHEN asked.path <> '' AND ends_with(placed.address, asked.path) THEN 'elsewhere'
            WHEN jaro_winkler_similarity(search.key_of(placed.detail), asked.key) >= 0.93 THEN 'similar'
        END AS kind,
        placed.url,
        placed.detail,
        jaro_winkler_similarity(search.key_of(placed.detail), asked.key) AS likeness
    FROM placed
    CROSS JOIN asked
)

SELECT kind, url, detail
FROM known
WHERE kind IS NOT NULL
ORDER BY list_position(['rejected', 'elsewhere', 'similar'], kind), likeness DESC, url
LIMIT 5
