-- question: Which pages of other sites, and which tools in them, are these words about?
-- topic: market
-- parameter: words: at least one of these
-- parameter: limit = 10: at most this many tools
-- picture: table
WITH asked AS (
    SELECT list_distinct(regexp_extract_all(lower($words::VARCHAR), '[\p{L}\p{N}]+')) AS words
),

named AS (
    SELECT
        documents.url,
        documents.title,
        documents.address,
        tools.name,
        tools.price,
        tools.claim,
        tools.position,
        regexp_extract_all(lower(coalesce(tools.name, '')), '[\p{L}\p{N}]+') AS name_words,
        regexp_extract_all(lower(coalesce(documents.title, '')), '[\p{L}\p{N}]+') AS title_words
    FROM outside.documents
    LEFT JOIN outside.all_outside_tools AS tools USING (url)
)

SELECT
    named.name,
    named.price,
    named.title,
    named.address,
    named.url
FROM named
CROSS JOIN asked
WHERE list_has_any(named.name_words, asked.words) OR list_has_any(named.title_words, asked.words)
ORDER BY
    len(list_intersect(named.name_words, asked.words)) DESC,
    len(list_intersect(named.title_words, asked.words)) DESC,
    named.url,
    named.claim,
    named.position
LIMIT $limit::BIGINT
