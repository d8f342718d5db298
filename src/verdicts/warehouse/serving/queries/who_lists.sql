-- question: Which pages of other sites list this tool, at what rank, price and rating?
-- topic: sites
-- parameter: mentioned: its name on a page, or the id, slug or name of a panel's tool; without it, every tool
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
    name,
    host,
    kind,
    rank,
    price,
    prices.amount,
    prices.currency,
    rating,
    rating_best,
    ratings,
    best_for,
    known_by,
    is_gone,
    last_seen_at,
    title,
    address,
    name_key,
    tool_id,
    page_id
FROM mentions_meant($mentioned::VARCHAR)
LEFT JOIN prices USING (page_id, tool_number)
ORDER BY is_gone, rank NULLS LAST, host, url, page_id, tool_number
LIMIT $limit::BIGINT
