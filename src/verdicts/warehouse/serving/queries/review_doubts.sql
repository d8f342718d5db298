-- question: What are the doubts about this review: merged ids, similar reviews, pages that contradict it?
-- topic: trust
-- parameter: review: its id or the beginning of it; without it, of every review
-- parameter: limit = 50: at most this many rows
-- picture: table
WITH said AS (
    SELECT review_id, 'took over' AS doubt, old_id || ': ' || reason AS detail
    FROM evidence.review_aliases
    UNION ALL
    SELECT review_id, 'looks like', other_review_id || ' (' || round(similarity, 3) || '), yet not joined'
    FROM evidence.lookalikes
    UNION ALL
    SELECT other_review_id, 'looks like', review_id || ' (' || round(similarity, 3) || '), yet not joined'
    FROM evidence.lookalikes
    UNION ALL
    SELECT appearances.review_id, discrepancies.rule, discrepancies.expected || ': ' || discrepancies.found
    FROM evidence.discrepancies
    INNER JOIN appearances USING (page_id)
    WHERE
        discrepancies.rule IN ('review_tool_conflict', 'attribution_conflict', 'reviewer_conflict')
        AND contains(discrepancies.expected, left(appearances.text, 20))
)

SELECT doubt, detail, review_id
FROM said
WHERE $review::VARCHAR IS NULL OR review_id = $review::VARCHAR
ORDER BY review_id, doubt, detail
LIMIT $limit::BIGINT
