-- question: What speaks against this take: ids it took over, takes that look like it, pages that contradict?
-- parameter: take: its review_id
-- picture: table
SELECT 'took over' AS doubt, old_id || ': ' || reason AS detail
FROM review_aliases
WHERE review_id = $take::VARCHAR
UNION ALL
SELECT 'looks like', if(review_id = $take::VARCHAR, other_id, review_id) || ' (' || round(similarity, 3) || '), yet not joined'
FROM lookalikes
WHERE review_id = $take::VARCHAR OR other_id = $take::VARCHAR
UNION ALL
SELECT discrepancies.rule, discrepancies.expected || ': ' || discrepancies.found
FROM discrepancies
JOIN appearances USING (page_id)
WHERE
    appearances.review_id = $take::VARCHAR
    AND discrepancies.rule IN ('take_tool_conflict', 'attribution_conflict', 'seat_conflict')
    AND contains(discrepancies.expected, left(appearances.text, 20))
ORDER BY ALL
