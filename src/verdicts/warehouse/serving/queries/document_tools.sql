-- question: Which tools does this page of another site name, at what price, rank and rating?
-- topic: sites
-- parameter: document: its address or title; without it, of every page of another site
-- parameter: limit = 50: at most this many rows
-- picture: table
SELECT
    name,
    rank,
    price,
    rating,
    rating_best,
    ratings,
    best_for,
    category,
    description,
    tool_url,
    url
FROM outside.all_outside_tools
WHERE ($document::VARCHAR IS NULL OR url = $document::VARCHAR)
ORDER BY url, claim, tool_number
LIMIT $limit::BIGINT
