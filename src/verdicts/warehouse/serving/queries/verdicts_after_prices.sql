-- question: Which verdicts changed after the price of the tool changed?
-- topic: changes
-- parameter: days = 60: at most this many days after the price
-- parameter: since = -infinity: only verdicts that changed from this moment on
-- needs: nights
-- picture: bars name+panel_verdict_after+verdict_changed_at+tool_id days
WITH turned AS (
    SELECT tool_id, panel_verdict_before, panel_verdict_after, changed_at AS verdict_changed_at, pages
    FROM verdict_changes
    WHERE is_flip AND panel_verdict_before IS NOT NULL AND panel_verdict_after IS NOT NULL
)

SELECT
    prices.name,
    epoch(turned.verdict_changed_at - prices.changed_at) / 86400 AS days,
    prices.changed_at AS price_changed_at,
    prices.pricing_before,
    prices.pricing_after,
    turned.verdict_changed_at,
    turned.panel_verdict_before,
    turned.panel_verdict_after,
    turned.pages,
    prices.tool_id
FROM turned
INNER JOIN price_changes AS prices
    ON turned.tool_id = prices.tool_id AND turned.verdict_changed_at >= prices.changed_at
WHERE turned.verdict_changed_at >= $since::TIMESTAMPTZ
QUALIFY
    prices.changed_at = max(prices.changed_at) OVER (PARTITION BY turned.tool_id, turned.verdict_changed_at, turned.panel_verdict_after)
    AND days <= $days::DOUBLE
ORDER BY days, prices.name, prices.tool_id, turned.verdict_changed_at
