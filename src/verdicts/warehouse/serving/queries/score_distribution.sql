-- question: How are the scores distributed, by seat and category, synonyms taken together?
-- topic: panel
-- parameter: seat: only this seat (Builder, Skeptic, Futurist, PM, Founder, Creator)
-- parameter: category: only tools of this category, as published or as grouped
-- picture: strip seat+category median
SELECT
    seat,
    category_group AS category,
    count(*) AS takes,
    min(score) AS lowest,
    quantile_cont(score, 0.25) AS lower_quartile,
    median(score) AS median,
    quantile_cont(score, 0.75) AS upper_quartile,
    max(score) AS highest
FROM scored_takes
WHERE
    ($seat::VARCHAR IS NULL OR seat = $seat::VARCHAR)
    AND ($category::VARCHAR IS NULL OR $category::VARCHAR IN (category, category_group))
GROUP BY seat, category_group
ORDER BY seat, category_group
