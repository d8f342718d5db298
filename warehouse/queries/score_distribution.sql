-- question: How are the scores distributed, by seat and category?
-- parameter: seat: only this seat
-- parameter: category: only tools of this category
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
WHERE
    reviews.score IS NOT NULL
    AND ($seat::VARCHAR IS NULL OR reviews.seat = $seat::VARCHAR)
    AND ($category::VARCHAR IS NULL OR tools.category = $category::VARCHAR)
GROUP BY reviews.seat, tools.category
ORDER BY reviews.seat, tools.category
