-- question: How does each reviewer score, and is it kinder than the others on the same tools?
-- topic: panel
-- parameter: limit = 50: at most this many reviewers, those with the most reviews
-- picture: strip reviewer mean_score
WITH reviewers AS (
    SELECT
        * EXCLUDE (ship_reviews, skip_reviews) REPLACE (
            round(ship_pct, 1) AS ship_pct,
            round(mean_score, 2) AS mean_score,
            round(score_stddev, 2) AS score_stddev,
            round(leaning, 2) AS leaning
        ),
        ship_reviews + skip_reviews AS verdicts
    FROM reviewer_leanings
    ORDER BY reviews DESC, reviewer
    LIMIT $limit::BIGINT
)

SELECT * FROM reviewers
ORDER BY leaning NULLS LAST, reviewer
