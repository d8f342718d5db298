-- question: Which tools does this page mention, at what price, rank and rating?
-- topic: sites
-- parameter: page: its address, title or id; without it, every page
-- parameter: limit = 50: at most this many tools
-- picture: table
SELECT
    mentions.name,
    mentions.rank,
    mentions.price,
    mentions.rating,
    mentions.rating_best,
    mentions.ratings,
    mentions.best_for,
    mentions.category,
    mentions.description,
    mentions.tool_url,
    mentions.known_by,
    mentions.tool_id,
    mentions.name_key,
    mentions.page_id
FROM mentions
WHERE $page::VARCHAR IS NULL OR mentions.page_id = $page::VARCHAR
ORDER BY mentions.page_id, mentions.tool_number
LIMIT $limit::BIGINT
