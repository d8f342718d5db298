-- question: Which statements contradict each other, and where is an example?
-- topic: trust
-- parameter: rule: only this rule
-- picture: bars rule contradictions
SELECT
    rule,
    count(*) AS contradictions,
    count(DISTINCT page_id) AS pages,
    arg_min(expected, (page_id, expected, found)) AS expected,
    arg_min(found, (page_id, expected, found)) AS found,
    min(first_seen_at) AS first_seen_at,
    min(page_id) AS page_id
FROM evidence.doubts
WHERE kind = 'discrepancy' AND ($rule::VARCHAR IS NULL OR rule = $rule::VARCHAR)
GROUP BY rule
ORDER BY contradictions DESC, rule
