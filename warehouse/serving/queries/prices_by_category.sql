-- question: What do tools of each category cost a month, where a price is not one per seat or other unit?
-- parameter: category: only tools of this category
WITH paid AS (
    SELECT category, currency, tool_id, monthly_amount
    FROM price_ladder
    WHERE monthly_amount > 0 AND unit IS NULL
),

free AS (
    SELECT category, count(DISTINCT tool_id) AS free_tools
    FROM price_ladder
    WHERE monthly_amount = 0
    GROUP BY category
),

final AS (
    SELECT
        paid.category,
        paid.currency,
        count(DISTINCT paid.tool_id) AS paid_tools,
        count(*) AS paid_tiers,
        min(paid.monthly_amount) AS cheapest,
        median(paid.monthly_amount) AS median,
        max(paid.monthly_amount) AS dearest,
        coalesce(any_value(free.free_tools), 0) AS tools_with_a_free_tier
    FROM paid
    LEFT JOIN free ON paid.category IS NOT DISTINCT FROM free.category
    GROUP BY paid.category, paid.currency
)

SELECT * FROM final
WHERE $category::VARCHAR IS NULL OR category = $category::VARCHAR
ORDER BY category, currency
