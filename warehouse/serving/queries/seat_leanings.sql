-- question: How does each seat score, and is it kinder than the others on the same tools?
-- topic: panel
-- parameter: limit = 50: at most this many seats, those with the most takes
-- picture: strip seat mean_score
WITH seats AS (
    SELECT * EXCLUDE (ship_takes, skip_takes), ship_takes + skip_takes AS verdicts
    FROM reviewer_leanings
    ORDER BY takes DESC, seat
    LIMIT $limit::BIGINT
)

SELECT * FROM seats
ORDER BY leaning NULLS LAST, seat
