-- question: How are the scores distributed, by seat and category?
SELECT
    reviews.seat,
    tools.category,
    count(*) AS takes,
    min(reviews.score) AS lowest,
    quantile_cont(reviews.score, 0.25) AS lower_quartile,
    median(reviews.score) AS median,
    quantile_cont(reviews.score, 0.75) AS upper_quartile,
    max(reviews.score) AS highest
FROM reviews
INNER JOIN tools USING (tool_id)
WHERE reviews.score IS NOT NULL
GROUP BY reviews.seat, tools.category
ORDER BY reviews.seat, tools.category
