-- question: What are the doubts about this take: merged ids, similar takes, pages that contradict it?
-- topic: trust
-- parameter: take: its id or the beginning of it; without it, of every take
-- parameter: limit = 50: at most this many rows
-- picture: table
WITH said AS (
    SELECT review_id, 'took over' AS doubt, old_id || ': ' || reason AS detail
    FROM evidence.review_aliases
    UNION ALL
    SELECT review_id, 'looks like', other_id || ' (' || round(similarity, 3) || '), yet not joined'
    FROM evidence.lookalikes
    UNION ALL
    SELECT other_id, 'looks like', review_id || ' (' || round(similarity, 3) || '), yet not joined'
    FROM evidence.lookalikes
    UNION ALL
    SELECT appearances.review_id, discrepancies.rule, discrepancies.expected || ': ' || discrepancies.found
    FROM evidence.discrepancies
    INNER JOIN appearances USING (page_id)
    WHERE
        discrepancies.rule IN ('take_tool_conflict', 'attribution_conflict', 'seat_conflict')
        AND contains(discrepancies.expected, left(appearances.text, 20))
)

SELECT doubt, detail, review_id
FROM said
WHERE $take::VARCHAR IS NULL OR review_id = $take::VARCHAR
ORDER BY review_id, doubt, detail
LIMIT $limit::BIGINT
