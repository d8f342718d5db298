-- question: Do tools that cost more have higher scores?
-- topic: prices
-- parameter: category: only tools of this category, as published or as grouped
-- parameter: currency = USD: currency of the prices; free tools count, too
-- parameter: limit = 100: at most this many tools: of each price first the one with the most reviews
-- note: the correlation is one of ranks (Spearman), with its interval (95 %); with fewer than ten tools that cost something there is none
-- picture: points name+slug+tool_id mean_score cheapest_monthly
WITH priced AS (
    SELECT
        *,
        -- Equal values share the mean of their ranks.
        rank() OVER (ORDER BY cheapest_monthly) + count(*) OVER (PARTITION BY cheapest_monthly) / 2 AS price_rank,
        rank() OVER (ORDER BY mean_score) + count(*) OVER (PARTITION BY mean_score) / 2 AS score_rank,
        row_number() OVER (PARTITION BY cheapest_monthly ORDER BY scored_reviews DESC, tool_id) AS place
    FROM tools
    WHERE
        cheapest_monthly IS NOT NULL
        AND mean_score IS NOT NULL
        AND (cheapest_monthly = 0 OR cheapest_currency = $currency::VARCHAR)
        AND ($category::VARCHAR IS NULL OR $category::VARCHAR IN (category, category_group))
),

-- Its interval: Fisher's z with the deviation of Bonett and Wright (2000).
correlated AS (
    SELECT
        count(*) AS correlated_tools,
        count(*) FILTER (cheapest_monthly > 0) AS paid_tools,
        CASE WHEN paid_tools >= 10 THEN greatest(-1, least(1, nullif(corr(price_rank, score_rank), 'NaN'))) END AS rho,
        1.96 * sqrt((1 + rho * rho / 2) / (correlated_tools - 3)) AS reach
    FROM priced
)

SELECT
    priced.name,
    priced.cheapest_monthly,
    priced.mean_score,
    priced.scored_reviews,
    priced.panel_verdict,
    round(correlated.rho, 2) AS correlation,
    round(tanh(atanh(correlated.rho) - correlated.reach), 2) AS correlation_from,
    round(tanh(atanh(correlated.rho) + correlated.reach), 2) AS correlation_to,
    correlated.paid_tools,
    correlated.correlated_tools,
    priced.category_group,
    priced.slug,
    priced.is_shared_name,
    priced.tool_id
FROM priced
CROSS JOIN correlated
QUALIFY row_number() OVER (ORDER BY priced.place, priced.cheapest_monthly, priced.tool_id) <= $limit::BIGINT
ORDER BY priced.cheapest_monthly, priced.mean_score DESC, priced.name, priced.tool_id
