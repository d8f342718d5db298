-- question: What does a million tokens cost?
-- topic: prices
-- parameter: direction: only these tokens (input, output, cached)
-- parameter: category: only tools of this category, as published or as grouped
-- parameter: limit = 50: at most this many prices, cheapest first
-- picture: bars name+direction+raw+tool_id per_million
SELECT name, vendor, direction, per_million, currency, is_from, raw, tool_id
FROM token_prices
WHERE
    ($direction::VARCHAR IS NULL OR direction = $direction::VARCHAR)
    AND ($category::VARCHAR IS NULL OR $category::VARCHAR IN (category, category_group))
ORDER BY currency, per_million, name, tool_id, direction, raw
LIMIT $limit::BIGINT
