-- question: Do tools that cost more have higher scores?
-- topic: prices
-- parameter: category: only tools of this category, as published or as grouped
-- parameter: currency = USD: currency of the prices; free tools count, too
-- parameter: limit = 100: at most this many tools: of each price first the one with the most reviews
-- picture: points name+slug+tool_id mean_score cheapest_monthly
WITH priced AS (
    SELECT
        tools.name,
        tools.cheapest_monthly,
        tools.mean_score,
        scorecards.scored_reviews,
        tools.panel_ship_pct,
        tools.panel_verdict,
        round(nullif(corr(tools.cheapest_monthly, tools.mean_score) OVER (), 'NaN'), 3) AS correlation,
        count(*) OVER () AS correlated_tools,
        tools.category_group,
        tools.slug,
        tools.tool_id,
        row_number() OVER (PARTITION BY tools.cheapest_monthly ORDER BY scorecards.scored_reviews DESC, tools.tool_id) AS place
    FROM tools
    INNER JOIN scorecards USING (tool_id)
    WHERE
        tools.cheapest_monthly IS NOT NULL
        AND tools.mean_score IS NOT NULL
        AND (tools.cheapest_monthly = 0 OR tools.cheapest_currency = $currency::VARCHAR)
        AND ($category::VARCHAR IS NULL OR $category::VARCHAR IN (tools.category, tools.category_group))
)

SELECT * EXCLUDE (place)
FROM priced
QUALIFY row_number() OVER (ORDER BY place, cheapest_monthly, tool_id) <= $limit::BIGINT
ORDER BY cheapest_monthly, mean_score DESC, name, tool_id
