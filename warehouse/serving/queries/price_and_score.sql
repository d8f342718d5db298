-- question: Do tools that cost more have higher scores?
-- topic: prices
-- parameter: category: only tools of this category group
-- parameter: currency = USD: currency of the prices; free tools count, too
-- parameter: limit = 100: at most this many tools, the cheapest first
-- picture: bars name+slug+tool_id mean_score
SELECT
    tools.name,
    tools.cheapest_monthly,
    tools.mean_score,
    tools.panel_ship_pct,
    tools.panel_verdict,
    corr(tools.cheapest_monthly, tools.mean_score) OVER () AS correlation,
    tools.category_group,
    tools.slug,
    tools.tool_id
FROM tools
WHERE
    tools.cheapest_monthly IS NOT NULL
    AND tools.mean_score IS NOT NULL
    AND (tools.cheapest_monthly = 0 OR tools.cheapest_currency = $currency::VARCHAR)
    AND ($category::VARCHAR IS NULL OR tools.category_group = $category::VARCHAR)
ORDER BY tools.cheapest_monthly, tools.mean_score DESC, tools.name, tools.tool_id
LIMIT $limit::BIGINT
