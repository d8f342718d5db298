-- question: Which monthly prices in US dollars has each category, grouped if there are too many to tell apart?
-- topic: prices
-- parameter: dots = 20: a category with more different prices is counted in this many steps of equal ratio, from $1 to $10,000
-- parameter: categories: only this many categories, those with the most tools
-- picture: table
WITH shown AS (
    SELECT category_group
    FROM tools
    WHERE category_group IS NOT NULL
    GROUP BY category_group
    ORDER BY count(*) DESC, category_group
    LIMIT $categories::BIGINT
),

prices AS (
    SELECT
        category_group,
        monthly_amount,
        count(*) AS tiers,
        count(DISTINCT tool_id) AS tools,
        list_sort(list(DISTINCT name))[:5] AS names,
        min(tool_id) AS tool_id,
        count(*) OVER (PARTITION BY category_group) AS different
    FROM price_ladder
    SEMI JOIN shown USING (category_group)
    WHERE currency = 'USD' AND monthly_amount > 0 AND unit IS NULL
    GROUP BY category_group, monthly_amount
),

steps AS (
    SELECT
        *,
        different > $dots::BIGINT AS is_binned,
        greatest(0, least($dots::BIGINT - 1, floor(log10(monthly_amount) / 4 * $dots::BIGINT))) AS step
    FROM prices
)

SELECT
    category_group AS category,
    is_binned,
    if(is_binned, pow(10, step * 4 / $dots::BIGINT), monthly_amount) AS from_usd,
    if(is_binned, pow(10, (step + 1) * 4 / $dots::BIGINT), monthly_amount) AS to_usd,
    sum(tiers)::BIGINT AS tiers,
    any_value(tools) FILTER (WHERE NOT is_binned) AS tools,
    any_value(names) FILTER (WHERE NOT is_binned) AS names,
    any_value(tool_id) FILTER (WHERE NOT is_binned AND tools = 1) AS tool_id
FROM steps
GROUP BY category, is_binned, from_usd, to_usd
ORDER BY category, from_usd
