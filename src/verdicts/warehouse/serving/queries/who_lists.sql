-- question: Which pages of other sites list this tool, at what rank, price and rating?
-- topic: sites
-- parameter: mentioned: the id, slug or name of a panel's tool, or its name on a page (name:NAME for that alone); without it, every tool
-- parameter: limit = 50: at most this many pages
-- picture: table
-- Many pages state a price only among the values of a tool.
WITH prices AS (
    SELECT page_id, tool_number, min(number) AS amount, arg_min(currency, number) AS currency
    FROM outside.comparison_facts
    WHERE kind = 'price' AND number IS NOT NULL
    GROUP BY ALL
)

SELECT
    mentions.name,
    pages.host,
    pages.kind,
    mentions.rank,
    mentions.price,
    prices.amount,
    prices.currency,
    mentions.rating,
    mentions.ratings,
    mentions.rating_best,
    mentions.best_for,
    mentions.known_by,
    pages.is_gone,
    pages.last_seen_at,
    pages.title,
    pages.address,
    mentions.name_key,
    mentions.tool_id,
    mentions.page_id
FROM mentions_meant($mentioned::VARCHAR)
INNER JOIN mentions USING (page_id, tool_number)
INNER JOIN pages USING (page_id)
LEFT JOIN prices USING (page_id, tool_number)
ORDER BY pages.is_gone, mentions.rank NULLS LAST, pages.host, pages.url, mentions.page_id, mentions.tool_number
LIMIT $limit::BIGINT
