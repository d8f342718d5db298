-- question: Which vendors have most tools, and how do their tools score?
-- topic: market
-- parameter: least = 1: only vendors with at least this many tools
-- picture: bars vendor tools
SELECT
    vendor,
    count(*) AS tools,
    sum(reviews)::BIGINT AS reviews,
    round(avg(panel_ship_pct), 6) AS mean_panel_pct,
    count(panel_ship_pct) AS panel_tools,
    -- Decimals add up to the same sum in any order.
    round(avg(mean_score::DECIMAL(12, 9)), 6) AS mean_tool_score,
    count(mean_score) AS scored_tools,
    count(*) FILTER (WHERE panel_verdict = 'ship') AS ship_verdicts,
    count(*) FILTER (WHERE panel_verdict = 'skip') AS skip_verdicts,
    list_sort(list(DISTINCT vendor_evidence)) AS evidence
FROM tools
WHERE vendor IS NOT NULL
GROUP BY vendor
HAVING count(*) >= $least::BIGINT
ORDER BY tools DESC, vendor
