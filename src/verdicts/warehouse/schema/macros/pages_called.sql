-- The pages with this id, beginning of an id, address, path or title. Of an address, the scheme, `www.`, the query and
-- the fragment do not count.
CREATE OR REPLACE MACRO pages_called(phrase, most := 10) AS TABLE
WITH asked AS (
    SELECT
        lower(trim(phrase)) AS words,
        search.key_of(phrase) AS title_key,
        rtrim(regexp_replace(lower(trim(phrase)), '^[a-z][a-z+.-]*://(www\.)?|#.*$', '', 'g'), '/') AS place,
        regexp_replace(place, '/?\?.*$', '') AS path
),

known AS (
    SELECT page_id, url, title, rtrim(regexp_replace(lower(url), '^[a-z][a-z+.-]*://(www\.)?', ''), '/') AS place
    FROM pages
),

called AS (
    SELECT
        known.page_id,
        known.url,
        known.title,
        CASE
            WHEN known.page_id = asked.words THEN 'id'
            WHEN known.place = asked.place OR known.place = asked.path THEN 'address'
            WHEN ends_with(known.place, '/' || ltrim(asked.path, '/')) THEN 'path'
            WHEN search.key_of(known.title) = asked.title_key THEN 'title'
            WHEN starts_with(known.page_id, asked.words) THEN 'beginning of the id'
        END AS how
    FROM known
    CROSS JOIN asked
    WHERE asked.title_key <> ''
)

SELECT how, title, url, page_id
FROM called
WHERE how IS NOT NULL
QUALIFY rank() OVER (ORDER BY list_position(['id', 'address', 'path', 'title', 'beginning of the id'], how)) = 1
ORDER BY title, page_id
LIMIT most;
