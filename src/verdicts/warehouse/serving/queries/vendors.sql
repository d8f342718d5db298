-- question: Which vendors have most tools, and how do their tools fare?
-- topic: market
-- parameter: least = 1: only vendors with at least this many tools
-- picture: bars vendor tools
SELECT
    scorecards.vendor,
    count(*) AS tools,
    sum(scorecards.reviews)::BIGINT AS reviews,
    round(avg(scorecards.panel_ship_pct), 1) AS mean_panel_pct,
    count(scorecards.panel_ship_pct) AS panel_tools,
    -- Decimals add up to the same sum in any order.
    round(avg(scorecards.mean_score::DECIMAL(12, 9)), 2) AS mean_tool_score,
    count(scorecards.mean_score) AS scored_tools,
    count(*) FILTER (WHERE scorecards.panel_verdict = 'ship') AS ship_verdicts,
    count(*) FILTER (WHERE scorecards.panel_verdict = 'skip') AS skip_verdicts,
    list_sort(list(DISTINCT tools.vendor_evidence)) AS evidence
FROM scorecards
INNER JOIN tools USING (tool_id)
WHERE scorecards.vendor IS NOT NULL
GROUP BY scorecards.vendor
HAVING count(*) >= $least::BIGINT
ORDER BY tools DESC, scorecards.vendor
