-- question: How do the tools of each category score, with synonyms combined?
-- topic: market
-- parameter: least = 1: only categories with at least this many tools
-- picture: bars category tools
SELECT
    category_group AS category,
    count(*) AS tools,
    sum(reviews)::BIGINT AS reviews,
    round(avg(panel_ship_pct), 6) AS mean_panel_pct,
    count(panel_ship_pct) AS panel_tools,
    -- Decimals add up to the same sum in any order.
    round(avg(mean_score::DECIMAL(12, 9)), 6) AS mean_tool_score,
    count(mean_score) AS scored_tools,
    count(*) FILTER (WHERE is_free) AS free_tools,
    list_sort(list(DISTINCT category) FILTER (WHERE category IS NOT NULL)) AS published_as
FROM tools
GROUP BY category_group
HAVING count(*) >= $least::BIGINT
ORDER BY tools DESC, category_group
