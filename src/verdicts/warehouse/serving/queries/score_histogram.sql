-- question: How many takes of each seat fall in each step of the score, and where is its median?
-- topic: panel
-- parameter: category: only tools of this category, as published or as grouped
-- parameter: step = 5: width of a step, points
-- picture: table
WITH takes AS (
    SELECT seat, score, least(score, 99) // $step::BIGINT * $step::BIGINT AS from_score
    FROM scored_takes
    WHERE seat IS NOT NULL AND ($category::VARCHAR IS NULL OR $category::VARCHAR IN (category, category_group))
),

seats AS (
    SELECT seat, count(*) AS seat_takes, median(score) AS seat_median
    FROM takes
    GROUP BY seat
),

bins AS (
    SELECT seat, from_score, count(*) AS takes
    FROM takes
    GROUP BY seat, from_score
)

SELECT seats.seat, bins.from_score, bins.takes, seats.seat_takes, seats.seat_median
FROM bins
INNER JOIN seats USING (seat)
ORDER BY seats.seat_median, seats.seat, bins.from_score
