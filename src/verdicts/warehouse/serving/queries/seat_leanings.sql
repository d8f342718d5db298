-- question: How does each seat score, and is it kinder than the others on the same tools?
-- topic: panel
-- parameter: limit = 50: at most this many seats, those with the most takes
-- picture: strip seat mean_score
WITH seats AS (
    SELECT
        * EXCLUDE (ship_takes, skip_takes) REPLACE (
            round(ship_pct, 1) AS ship_pct,
            round(mean_score, 2) AS mean_score,
            round(score_stddev, 2) AS score_stddev,
            round(leaning, 2) AS leaning
        ),
        ship_takes + skip_takes AS verdicts
    FROM reviewer_leanings
    ORDER BY takes DESC, seat
    LIMIT $limit::BIGINT
)

SELECT * FROM seats
ORDER BY leaning NULLS LAST, seat
