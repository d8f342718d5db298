-- question: How many reviews of each reviewer fall in each step of the score, and where is its median?
-- topic: panel
-- parameter: category: only tools of this category, as published or as grouped
-- parameter: step = 5: width of a step, points
-- picture: table
WITH opinions AS (
    SELECT reviewer, score, least(score, 99) // $step::BIGINT * $step::BIGINT AS from_score
    FROM scored_reviews
    WHERE reviewer IS NOT NULL AND ($category::VARCHAR IS NULL OR $category::VARCHAR IN (category, category_group))
),

reviewers AS (
    SELECT reviewer, count(*) AS reviewer_reviews, median(score) AS reviewer_median
    FROM opinions
    GROUP BY reviewer
),

bins AS (
    SELECT reviewer, from_score, count(*) AS reviews
    FROM opinions
    GROUP BY reviewer, from_score
)

SELECT reviewers.reviewer, bins.from_score, bins.reviews, reviewers.reviewer_reviews, reviewers.reviewer_median
FROM bins
INNER JOIN reviewers USING (reviewer)
ORDER BY reviewers.reviewer_median, reviewers.reviewer, bins.from_score
