-- question: What is the lowest monthly price of each tool, without free tiers and prices per seat or other unit?
-- topic: prices
-- parameter: category: only tools of this category, as published or as grouped
-- parameter: currency = USD: only prices in this currency
-- parameter: limit = 50: at most this many tools
-- picture: bars name+slug+tool_id monthly_amount
WITH cheapest AS (
    SELECT name, monthly_amount, plan, category_group, tool_id
    FROM price_ladder
    WHERE
        monthly_amount > 0
        AND unit IS NULL
        AND currency = $currency::VARCHAR
        AND ($category::VARCHAR IS NULL OR $category::VARCHAR IN (category, category_group))
    QUALIFY row_number() OVER (PARTITION BY tool_id ORDER BY monthly_amount, tier_number) = 1
)

SELECT
    cheapest.name,
    cheapest.monthly_amount,
    cheapest.plan,
    tools.mean_score,
    tools.scored_reviews,
    tools.panel_verdict,
    cheapest.category_group,
    tools.slug,
    tools.is_shared_name,
    cheapest.tool_id
FROM cheapest
INNER JOIN tools USING (tool_id)
ORDER BY cheapest.monthly_amount, cheapest.name, cheapest.tool_id
LIMIT $limit::BIGINT
