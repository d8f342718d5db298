CREATE OR REPLACE VIEW price_ladder AS
WITH monthly AS (
    SELECT
        tools.category,
        tools.category_group,
        pricing_tiers.tool_id,
        tools.name,
        pricing_tiers.tier_number,
        pricing_tiers.plan,
        pricing_tiers.kind,
        pricing_tiers.amount,
        pricing_tiers.currency,
        pricing_tiers.period,
        pricing_tiers.unit,
        CASE
            WHEN pricing_tiers.amount = 0 THEN 0
            WHEN pricing_tiers.period = 'month' THEN pricing_tiers.amount
            WHEN pricing_tiers.period = 'quarter' THEN pricing_tiers.amount / 3
            WHEN pricing_tiers.period = 'year' THEN pricing_tiers.amount / 12
            WHEN pricing_tiers.period = 'week' THEN pricing_tiers.amount * 365 / 12 / 7
            WHEN pricing_tiers.period = 'day' THEN pricing_tiers.amount * 365 / 12
        END AS monthly_amount
    FROM pricing_tiers
    INNER JOIN tools USING (tool_id)
    WHERE pricing_tiers.amount IS NOT NULL
),

final AS (
    SELECT
        category,
        category_group,
        tool_id,
        name,
        tier_number,
        plan,
        kind,
        amount,
        currency,
        period,
        unit,
        monthly_amount,
        CASE
            WHEN monthly_amount IS NOT NULL
                THEN rank() OVER (PARTITION BY category_group, currency, unit ORDER BY monthly_amount NULLS LAST)
        END AS rung
    FROM monthly
    ORDER BY category_group, currency, unit NULLS FIRST, monthly_amount NULLS LAST, name, tier_number
)

SELECT * FROM final;

COMMENT ON VIEW price_ladder IS
    'A tier with an amount or a free tier, among the tiers of its category group, cheapest first.';

COMMENT ON COLUMN price_ladder.category IS 'Category of the tool as last published. NULL: never shown.';
COMMENT ON COLUMN price_ladder.category_group IS 'One name for all spellings and synonyms of its category: a suggestion (tools.category_group). NULL: no category.';
COMMENT ON COLUMN price_ladder.tool_id IS 'Tool (tools.tool_id).';
COMMENT ON COLUMN price_ladder.name IS 'Display name of the tool.';
COMMENT ON COLUMN price_ladder.tier_number IS 'Number of the price in the tool''s pricing string, from 0 (pricing_tiers.tier_number).';
COMMENT ON COLUMN price_ladder.plan IS 'Name of the plan. NULL: the tier has no name.';
COMMENT ON COLUMN price_ladder.kind IS 'Sort of the tier (pricing_tiers.kind).';
COMMENT ON COLUMN price_ladder.amount IS 'Price as printed, in units of currency for one period; 0: free.';
COMMENT ON COLUMN price_ladder.currency IS 'Currency, ISO 4217. NULL: a free tier without an amount.';
COMMENT ON COLUMN price_ladder.period IS 'Time the amount pays for. NULL: once, by use, or not stated.';
COMMENT ON COLUMN price_ladder.unit IS 'What one amount pays for beside the time: seat, 1M tokens. NULL: not stated.';
COMMENT ON COLUMN price_ladder.monthly_amount IS 'Price of a month in units of currency: a quarter is 3 months, a year 12 of 365/12 days. 0: free. NULL: the price is not for a time.';
COMMENT ON COLUMN price_ladder.rung IS 'Rank by monthly_amount within its category group, currency and unit, from 1. Free tiers without a printed currency are ranked separately. NULL: no monthly_amount.';

-- example: SELECT category_group, name, plan, monthly_amount FROM price_ladder WHERE rung = 1 ORDER BY ALL
