-- question: Do tools that cost more have higher scores?
-- topic: prices
-- parameter: category: only tools of this category, as published or as grouped
-- parameter: currency = USD: currency of the prices; free tools count, too
-- parameter: limit = 100: at most this many tools: of each price first the one with the most reviews
-- picture: points name+slug+tool_id mean_score cheapest_monthly
WITH priced AS (
    SELECT
        name,
        cheapest_monthly,
        mean_score,
        scored_reviews,
        panel_ship_pct,
        panel_verdict,
        round(nullif(corr(cheapest_monthly, mean_score) OVER (), 'NaN'), 3) AS correlation,
        count(*) OVER () AS correlated_tools,
        category_group,
        slug,
        tool_id,
        row_number() OVER (PARTITION BY cheapest_monthly ORDER BY scored_reviews DESC, tool_id) AS place
    FROM tools
    WHERE
        cheapest_monthly IS NOT NULL
        AND mean_score IS NOT NULL
        AND (cheapest_monthly = 0 OR cheapest_currency = $currency::VARCHAR)
        AND ($category::VARCHAR IS NULL OR $category::VARCHAR IN (category, category_group))
)

SELECT * EXCLUDE (place)
FROM priced
QUALIFY row_number() OVER (ORDER BY place, cheapest_monthly, tool_id) <= $limit::BIGINT
ORDER BY cheapest_monthly, mean_score DESC, name, tool_id
