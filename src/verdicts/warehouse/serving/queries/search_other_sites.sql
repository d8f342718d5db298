-- question: Which pages of other sites, and which tools in them, are these words about?
-- topic: sites
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
        tools.tool_number,
        regexp_extract_all(lower(coalesce(tools.name, '')), '[\p{L}\p{N}]+') AS name_words,
        regexp_extract_all(lower(coalesce(documents.title, '')), '[\p{L}\p{N}]+') AS title_words
    FROM outside.documents
    LEFT JOIN outside.all_outside_tools AS tools USING (url)
    -- A list of the panel's own pages says nothing.
    WHERE documents.claim IS NOT NULL OR documents.host NOT IN (SELECT host FROM pages WHERE host IS NOT NULL)
)

SELECT
    named.name,
    named.price,
    named.title,
    named.address,
    named.url
FROM named
CROSS JOIN asked
WHERE
    list_has_any(named.name_words, asked.words)
    OR list_has_any(named.title_words, asked.words)
    -- NordVPN is found by vpn; two letters are in too many names.
    OR len(list_filter(asked.words, lambda word: len(word) > 2 AND contains(lower(named.name), word))) > 0
ORDER BY
    len(list_intersect(named.name_words, asked.words)) DESC,
    len(list_intersect(named.title_words, asked.words)) DESC,
    named.url,
    named.claim,
    named.tool_number
LIMIT $limit::BIGINT
