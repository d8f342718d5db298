-- question: Which pages of other sites, and which tools on them, are these words about?
-- topic: sites
-- parameter: words: at least one of these
-- parameter: limit = 10: at most this many tools
-- picture: table
WITH asked AS (
    SELECT list_distinct(regexp_extract_all(lower($words::VARCHAR), '[\p{L}\p{N}]+')) AS words
),

mentioned AS (
    SELECT
        pages.page_id,
        pages.kind,
        pages.title,
        pages.address,
        mentions.name,
        mentions.name_key,
        mentions.tool_id,
        mentions.rank,
        mentions.price,
        mentions.tool_number,
        regexp_extract_all(lower(coalesce(mentions.name, '')), '[\p{L}\p{N}]+') AS name_words,
        regexp_extract_all(lower(coalesce(pages.title, '')), '[\p{L}\p{N}]+') AS title_words
    FROM other_pages() AS pages
    LEFT JOIN mentions USING (page_id)
    WHERE NOT pages.is_gone
)

SELECT
    mentioned.name,
    mentioned.rank,
    mentioned.price,
    mentioned.title,
    mentioned.kind,
    mentioned.address,
    mentioned.name_key,
    mentioned.tool_id,
    mentioned.page_id
FROM mentioned
CROSS JOIN asked
WHERE
    list_has_any(mentioned.name_words, asked.words)
    OR list_has_any(mentioned.title_words, asked.words)
    -- NordVPN is found by vpn; two letters are in too many names.
    OR len(list_filter(asked.words, lambda word: len(word) > 2 AND contains(lower(mentioned.name), word))) > 0
ORDER BY
    len(list_intersect(mentioned.name_words, asked.words)) DESC,
    len(list_intersect(mentioned.title_words, asked.words)) DESC,
    mentioned.page_id,
    mentioned.tool_number
LIMIT $limit::BIGINT
