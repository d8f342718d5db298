-- question: Which two seats disagree most about the same tools?
-- parameter: category: only tools of this category
WITH scored AS (
    SELECT reviews.tool_id, reviews.seat, reviews.score, reviews.verdict
    FROM reviews
    INNER JOIN tools USING (tool_id)
    WHERE reviews.score IS NOT NULL AND ($category::VARCHAR IS NULL OR tools.category = $category::VARCHAR)
),

pairs AS (
    SELECT
        one.seat,
        other.seat AS other_seat,
        abs(one.score - other.score) AS distance,
        one.verdict <> other.verdict AS is_split
    FROM scored AS one
    INNER JOIN scored AS other ON one.tool_id = other.tool_id AND one.seat < other.seat
),

final AS (
    SELECT
        seat,
        other_seat,
        count(*) AS takes_compared,
        avg(distance) AS mean_distance,
        max(distance) AS largest_distance,
        100 * count(*) FILTER (WHERE is_split) / count(*) AS opposite_verdicts_pct
    FROM pairs
    GROUP BY seat, other_seat
)

SELECT * FROM final
ORDER BY mean_distance DESC, seat, other_seat
