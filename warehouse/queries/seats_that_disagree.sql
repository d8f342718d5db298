-- question: Which two seats disagree most about the same tools?
WITH pairs AS (
    SELECT
        one.seat,
        other.seat AS other_seat,
        abs(one.score - other.score) AS distance,
        one.verdict <> other.verdict AS is_split
    FROM reviews AS one
    INNER JOIN reviews AS other ON one.tool_id = other.tool_id AND one.seat < other.seat
    WHERE one.score IS NOT NULL AND other.score IS NOT NULL
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
