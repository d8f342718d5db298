-- question: How many reviews of each reviewer fall in each step of the score, the harshest reviewer first?
-- topic: panel
-- parameter: category: only tools of this category, as published or as grouped
-- parameter: step = 5: width of a step, points
-- note: the harshest scores farthest below the others on the same tools, as in reviewer_leanings
-- picture: table
WITH bins AS (
    SELECT
        reviewer,
        least(score, 99) // $step::BIGINT * $step::BIGINT AS from_score,
        count(*) AS reviews,
        sum(count(*)) OVER every::BIGINT AS reviewer_reviews,
        sum(sum(score)) OVER every / reviewer_reviews AS reviewer_mean
    FROM scored_reviews
    WHERE reviewer IS NOT NULL AND ($category::VARCHAR IS NULL OR $category::VARCHAR IN (category, category_group))
    GROUP BY reviewer, from_score
    WINDOW every AS (PARTITION BY reviewer)
)

SELECT bins.reviewer, bins.from_score, bins.reviews, bins.reviewer_reviews, round(bins.reviewer_mean, 6) AS reviewer_mean
FROM bins
INNER JOIN reviewer_leanings USING (reviewer)
ORDER BY reviewer_leanings.leaning NULLS LAST, bins.reviewer, bins.from_score
