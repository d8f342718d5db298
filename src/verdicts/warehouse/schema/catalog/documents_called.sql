-- The pages of other sites that words name: by address without scheme, `www.`, query and fragment, or by title; and
-- those that name a tool so.
WITH asked AS (
    SELECT
        lower(trim($words)) AS words,
        rtrim(regexp_replace(lower(trim($words)), '^([a-z][a-z+.-]*://)?(www\.)?|[?#].*$', '', 'g'), '/') AS address
),

known AS (
    SELECT
        documents.url,
        documents.title,
        CASE
            WHEN lower(documents.url) = asked.words OR lower(documents.address) = asked.words THEN 'url'
            WHEN rtrim(regexp_replace(lower(documents.url), '^([a-z][a-z+.-]*://)?(www\.)?|[?#].*$', '', 'g'), '/') = asked.address
                THEN 'address'
            WHEN lower(documents.title) = asked.words THEN 'title'
            WHEN
                EXISTS (
                    SELECT 1
                    FROM outside.all_outside_tools AS tools
                    WHERE tools.url = documents.url AND lower(tools.name) = asked.words
                )
                THEN 'tool'
        END AS how
    FROM outside.documents
    CROSS JOIN asked
)

SELECT how, url, title
FROM known
WHERE how IS NOT NULL
QUALIFY rank() OVER (ORDER BY list_position(['url', 'address', 'title', 'tool'], how)) = 1
ORDER BY url
LIMIT 10
