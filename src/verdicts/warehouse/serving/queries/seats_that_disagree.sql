-- question: Which two seats disagree most about the same tools?
-- topic: disagreement
-- parameter: category: only tools of this category, as published or as grouped
-- picture: bars seats mean_distance
SELECT
    one.seat || ' and ' || other.seat AS seats,
    one.seat,
    other.seat AS other_seat,
    count(*) AS takes_compared,
    round(avg(abs(one.score - other.score)), 2) AS mean_distance,
    max(abs(one.score - other.score)) AS largest_distance,
    count(one.verdict <> other.verdict) AS verdicts_compared,
    round(100 * count_if(one.verdict <> other.verdict) / nullif(verdicts_compared, 0), 1) AS opposite_verdicts_pct
FROM scored_takes AS one
INNER JOIN scored_takes AS other ON one.tool_id = other.tool_id AND one.seat < other.seat
WHERE $category::VARCHAR IS NULL OR $category::VARCHAR IN (one.category, one.category_group)
GROUP BY one.seat, other.seat
ORDER BY mean_distance DESC, one.seat, other.seat
