-- question: What do tools of each category cost a month, without prices per seat or other unit?
-- topic: prices
-- parameter: category: only tools of this category, as published or as grouped
-- picture: bars category+currency median
WITH paid AS (
    SELECT category_group, currency, tool_id, monthly_amount
    FROM price_ladder
    WHERE
        monthly_amount > 0 AND unit IS NULL
        AND ($category::VARCHAR IS NULL OR $category::VARCHAR IN (category, category_group))
),

free AS (
    SELECT category_group, count(*) AS free_tools
    FROM free_to_start
    WHERE has_free_tier AND ($category::VARCHAR IS NULL OR $category::VARCHAR IN (category, category_group))
    GROUP BY category_group
),

final AS (
    SELECT
        paid.category_group AS category,
        paid.currency,
        count(DISTINCT paid.tool_id) AS paid_tools,
        count(*) AS paid_tiers,
        min(paid.monthly_amount) AS cheapest,
        median(paid.monthly_amount) AS median,
        max(paid.monthly_amount) AS dearest,
        coalesce(any_value(free.free_tools), 0) AS tools_with_a_free_tier
    FROM paid
    LEFT JOIN free ON paid.category_group IS NOT DISTINCT FROM free.category_group
    GROUP BY paid.category_group, paid.currency
)

SELECT * FROM final
ORDER BY category, currency
