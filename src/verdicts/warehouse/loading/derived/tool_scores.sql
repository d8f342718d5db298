-- Verdict, share, mean score and price of a tool, so that nobody needs a join for them.
WITH cheapest AS (
    -- Amounts of different currencies are not compared: US dollars if the tool has a price in them.
    SELECT tool_id, monthly_amount, currency
    FROM price_ladder
    WHERE monthly_amount IS NOT NULL
    QUALIFY row_number() OVER (
        PARTITION BY tool_id ORDER BY currency IS DISTINCT FROM 'USD', currency, monthly_amount, tier_number
    ) = 1
),

found AS (
    SELECT
        scorecards.tool_id,
        scorecards.panel_verdict,
        scorecards.panel_ship_pct,
        scorecards.mean_score,
        CASE WHEN free_to_start.has_free_tier THEN 0 ELSE cheapest.monthly_amount END AS cheapest_monthly,
        CASE WHEN free_to_start.has_free_tier IS NOT TRUE THEN cheapest.currency END AS cheapest_currency
    FROM scorecards
    LEFT JOIN free_to_start USING (tool_id)
    LEFT JOIN cheapest USING (tool_id)
)

UPDATE tools
SET
    panel_verdict = found.panel_verdict,
    panel_ship_pct = found.panel_ship_pct,
    mean_score = found.mean_score,
    cheapest_monthly = found.cheapest_monthly,
    cheapest_currency = found.cheapest_currency,
    load_id = getvariable('load_id')
FROM found
WHERE
    found.tool_id = tools.tool_id
    AND (
        found.panel_verdict IS DISTINCT FROM tools.panel_verdict
        OR found.panel_ship_pct IS DISTINCT FROM tools.panel_ship_pct
        OR found.mean_score IS DISTINCT FROM tools.mean_score
        OR found.cheapest_monthly IS DISTINCT FROM tools.cheapest_monthly
        OR found.cheapest_currency IS DISTINCT FROM tools.cheapest_currency
    )
