-- question: How are the scores distributed, by reviewer and category, synonyms taken together?
-- topic: panel
-- parameter: reviewer: only this reviewer (Builder, Skeptic, Futurist, PM, Founder, Creator)
-- parameter: category: only tools of this category, as published or as grouped
-- picture: strip reviewer+category median
SELECT
    reviewer,
    category_group AS category,
    count(*) AS reviews,
    min(score) AS lowest,
    quantile_cont(score, 0.25) AS lower_quartile,
    median(score) AS median,
    quantile_cont(score, 0.75) AS upper_quartile,
    max(score) AS highest
FROM scored_reviews
WHERE
    ($reviewer::VARCHAR IS NULL OR reviewer = $reviewer::VARCHAR)
    AND ($category::VARCHAR IS NULL OR $category::VARCHAR IN (category, category_group))
GROUP BY reviewer, category_group
ORDER BY reviewer, category_group
