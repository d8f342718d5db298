-- question: What do tools of each category cost a month, without prices per seat or other unit, and how many cost nothing to start with?
-- topic: prices
-- parameter: category: only tools of this category, as published or as grouped
-- parameter: currency = USD: only prices in this currency
-- parameter: limit: only this many categories, those with the most tools
-- picture: bars category median
WITH paid AS (
    SELECT
        category_group,
        count(DISTINCT tool_id) AS paid_tools,
        count(*) AS paid_tiers,
        min(monthly_amount) AS cheapest,
        median(monthly_amount) AS median,
        max(monthly_amount) AS dearest
    FROM price_ladder
    WHERE
        currency = $currency::VARCHAR
        AND monthly_amount > 0
        AND unit IS NULL
        AND ($category::VARCHAR IS NULL OR $category::VARCHAR IN (category, category_group))
    GROUP BY category_group
),

categories AS (
    SELECT category_group, count(*) AS tools, count(*) FILTER (WHERE is_free) AS free_tools
    FROM tools
    WHERE
        category_group IS NOT NULL
        AND ($category::VARCHAR IS NULL OR $category::VARCHAR IN (category, category_group))
    GROUP BY category_group
)

SELECT
    categories.category_group AS category,
    categories.tools,
    categories.free_tools,
    paid.median,
    coalesce(paid.paid_tiers, 0) AS paid_tiers,
    coalesce(paid.paid_tools, 0) AS paid_tools,
    paid.cheapest,
    paid.dearest
FROM categories
LEFT JOIN paid USING (category_group)
ORDER BY categories.tools DESC, category
LIMIT $limit::BIGINT
