-- question: How does each seat score, and is it kinder than the others on the same tools?
-- topic: panel
-- parameter: limit = 50: at most this many seats, those with the most takes
-- picture: strip seat mean_score
WITH seats AS (
    SELECT seat, takes, tools, ship_pct, mean_score, median_score, score_stddev, leaning
    FROM reviewer_leanings
    ORDER BY takes DESC, seat
    LIMIT $limit::BIGINT
)

SELECT * FROM seats
ORDER BY leaning NULLS LAST, seat
