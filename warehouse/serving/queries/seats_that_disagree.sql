-- question: Which two seats disagree most about the same tools?
-- topic: disagreement
-- parameter: category: only tools of this category, as published or as grouped
-- picture: bars seats mean_distance
SELECT
    seat || ' and ' || other_seat AS seats,
    seat,
    other_seat,
    count(*) AS takes_compared,
    avg(distance) AS mean_distance,
    max(distance) AS largest_distance,
    100 * count(*) FILTER (WHERE is_split) / count(*) AS opposite_verdicts_pct
FROM evidence.seat_pairs
WHERE $category::VARCHAR IS NULL OR $category::VARCHAR IN (category, category_group)
GROUP BY seat, other_seat
ORDER BY mean_distance DESC, seat, other_seat
