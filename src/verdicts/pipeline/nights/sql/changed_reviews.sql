-- Reviews that changed, were withdrawn or came back, and of which the copy before does not know it.
WITH known AS (
    SELECT review_id, valid_from AS changed_at FROM before.history.review_history
    UNION
    SELECT review_id, valid_to FROM before.history.review_history WHERE valid_to IS NOT NULL
)

SELECT
    count(*) OVER () AS total,
    name,
    coalesce(reviewer_after, reviewer_before) AS reviewer,
    change,
    concat_ws(' ', score_before, verdict_before) AS said_before,
    concat_ws(' ', score_after, verdict_after) AS says_now
FROM review_changes
ANTI JOIN known USING (review_id, changed_at)
ORDER BY name, reviewer, review_id, changed_at
LIMIT $most::BIGINT
