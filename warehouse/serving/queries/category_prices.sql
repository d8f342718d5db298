-- question: What do tools of each category cost a month in US dollars, and how many cost nothing to start with?
-- topic: prices
-- parameter: limit: only this many categories, those with the most tools
-- picture: bars category median_usd
WITH paid AS (
    SELECT
        category_group,
        count(DISTINCT tool_id) AS priced_tools,
        count(*) AS tiers,
        median(monthly_amount) AS median_usd
    FROM price_ladder
    WHERE currency = 'USD' AND monthly_amount > 0 AND unit IS NULL
    GROUP BY category_group
),

categories AS (
    SELECT category_group, count(*) AS tools, count(*) FILTER (WHERE is_free) AS free_tools
    FROM free_to_start
    WHERE category_group IS NOT NULL
    GROUP BY category_group
)

SELECT
    categories.category_group AS category,
    categories.tools,
    categories.free_tools,
    coalesce(paid.priced_tools, 0) AS priced_tools,
    coalesce(paid.tiers, 0) AS tiers,
    paid.median_usd
FROM categories
LEFT JOIN paid USING (category_group)
ORDER BY categories.tools DESC, category
LIMIT $limit::BIGINT
