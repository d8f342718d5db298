-- question: How does each reviewer score, and is it kinder than the others on the same tools?
-- topic: panel
-- parameter: limit = 50: at most this many reviewers, those with the most reviews
-- note: the harshest reviewer comes first; a leaning, with its interval (95 %), needs ten tools that others scored, too
-- picture: strip reviewer mean_score
WITH reviewers AS (
    SELECT * FROM reviewer_leanings
    ORDER BY reviews DESC, reviewer
    LIMIT $limit::BIGINT
)

SELECT
    reviewer,
    round(leaning, 2) AS leaning,
    round(mean_end(leaning, leaning_stddev, compared_reviews, -1), 1) AS leaning_from,
    round(mean_end(leaning, leaning_stddev, compared_reviews, 1), 1) AS leaning_to,
    compared_reviews,
    round(mean_score, 6) AS mean_score,
    scored_reviews,
    round(score_stddev, 2) AS score_stddev,
    round(ship_pct, 1) AS ship_pct,
    ship_reviews + skip_reviews AS verdicts,
    reviews,
    tools
FROM reviewers
ORDER BY leaning NULLS LAST, reviewer
