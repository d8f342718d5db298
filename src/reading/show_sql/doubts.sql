-- What speaks against a review: ids it took over, reviews that look like it, pages that contradict.
SELECT 'took over' AS doubt, old_id || ': ' || reason AS detail
FROM review_aliases
WHERE review_id = :id
UNION ALL
SELECT 'looks like', if(review_id = :id, other_id, review_id) || ' (' || round(similarity, 3) || '), yet not joined'
FROM lookalikes
WHERE review_id = :id OR other_id = :id
UNION ALL
SELECT discrepancies.rule, discrepancies.expected || ': ' || discrepancies.found
FROM discrepancies
JOIN appearances USING (page_id)
WHERE
    appearances.review_id = :id
    AND discrepancies.rule IN ('take_tool_conflict', 'attribution_conflict', 'seat_conflict')
    AND contains(discrepancies.expected, left(appearances.text, 20))
ORDER BY ALL
