-- question: Which two reviewers disagree most about the same tools?
-- topic: disagreement
-- parameter: category: only tools of this category, as published or as grouped
-- parameter: least = 10: only pairs that both scored at least this many tools
-- hides: pairs with fewer than ten tools in common; a smaller least shows them
-- picture: bars reviewers mean_distance
SELECT
    one.reviewer || ' and ' || other.reviewer AS reviewers,
    round(avg(abs(one.score - other.score)), 2) AS mean_distance,
    round(mean_end(mean_distance, stddev_samp(abs(one.score - other.score)), count(*), -1), 1) AS distance_from,
    round(mean_end(mean_distance, stddev_samp(abs(one.score - other.score)), count(*), 1), 1) AS distance_to,
    count(*) AS reviews_compared,
    max(abs(one.score - other.score)) AS largest_distance,
    count(one.verdict <> other.verdict) AS verdicts_compared,
    round(100 * count_if(one.verdict <> other.verdict) / nullif(verdicts_compared, 0), 1) AS opposite_verdicts_pct,
    one.reviewer,
    other.reviewer AS other_reviewer
FROM scored_reviews AS one
INNER JOIN scored_reviews AS other ON one.tool_id = other.tool_id AND one.reviewer < other.reviewer
WHERE $category::VARCHAR IS NULL OR $category::VARCHAR IN (one.category, one.category_group)
GROUP BY one.reviewer, other.reviewer
HAVING reviews_compared >= $least::BIGINT
ORDER BY mean_distance DESC, one.reviewer, other.reviewer
