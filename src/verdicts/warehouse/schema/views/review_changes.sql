CREATE OR REPLACE VIEW review_changes AS
WITH states AS (
    SELECT
        *,
        lag(valid_to) OVER before AS ended_at,
        lead(valid_from) OVER before AS next_from,
        lag(tool_id) OVER before AS tool_before_id,
        lag(reviewer) OVER before AS reviewer_before,
        lag(score) OVER before AS score_before,
        lag(verdict) OVER before AS verdict_before,
        lag(text) OVER before AS text_before
    FROM history.review_history
    -- Most reviews have one state: their texts need no sort.
    SEMI JOIN (FROM history.review_history WHERE valid_to IS NOT NULL) AS ended USING (review_id)
    WINDOW before AS (PARTITION BY review_id ORDER BY valid_from)
),

changes AS (
    SELECT
        review_id,
        valid_from AS changed_at,
        if(ended_at = valid_from, 'changed', 'returned') AS change,
        nullif(tool_before_id, tool_id) AS tool_before_id,
        reviewer_before,
        reviewer AS reviewer_after,
        score_before,
        score AS score_after,
        verdict_before,
        verdict AS verdict_after,
        text_before,
        text AS text_after
    FROM states
    WHERE ended_at IS NOT NULL
    UNION ALL
    SELECT review_id, valid_to, 'withdrawn', NULL, reviewer, NULL, score, NULL, verdict, NULL, text, NULL
    FROM states
    WHERE valid_to IS NOT NULL AND next_from IS DISTINCT FROM valid_to
),

final AS (
    SELECT
        changes.review_id,
        reviews.tool_id,
        tools.name,
        changes.changed_at,
        changes.change,
        changes.tool_before_id,
        changes.reviewer_before,
        changes.reviewer_after,
        changes.score_before,
        changes.score_after,
        changes.verdict_before,
        changes.verdict_after,
        changes.text_before,
        changes.text_after
    FROM changes
    INNER JOIN reviews USING (review_id)
    INNER JOIN tools USING (tool_id)
)

SELECT * FROM final;

COMMENT ON VIEW review_changes IS
    'A change of a review: pages show another score, verdict, reviewer, tool or wording, or none shows it any more, or one shows it again. The first state of a review is not a change.';

COMMENT ON COLUMN review_changes.review_id IS 'Review (reviews.review_id).';
COMMENT ON COLUMN review_changes.tool_id IS 'Tool the review is about (tools.tool_id).';
COMMENT ON COLUMN review_changes.name IS 'Its display name as last published.';
COMMENT ON COLUMN review_changes.changed_at IS 'When a snapshot first showed the new state, or that the review is withdrawn.';
COMMENT ON COLUMN review_changes.change IS 'changed: it says something else; withdrawn: no page shows it any more; returned: a page shows it again.';
COMMENT ON COLUMN review_changes.tool_before_id IS 'Tool that it was about before (tools.tool_id). NULL: the same.';
COMMENT ON COLUMN review_changes.reviewer_before IS 'Reviewer before. NULL: not shown.';
COMMENT ON COLUMN review_changes.reviewer_after IS 'Reviewer after. NULL: not shown, or withdrawn.';
COMMENT ON COLUMN review_changes.score_before IS 'Score before, 0-100. NULL: not shown.';
COMMENT ON COLUMN review_changes.score_after IS 'Score after, 0-100. NULL: not shown, or withdrawn.';
COMMENT ON COLUMN review_changes.verdict_before IS 'Verdict before: ship, skip. NULL: not shown.';
COMMENT ON COLUMN review_changes.verdict_after IS 'Verdict after: ship, skip. NULL: not shown, or withdrawn.';
COMMENT ON COLUMN review_changes.text_before IS 'Words before; of a review that returned, when it was last shown.';
COMMENT ON COLUMN review_changes.text_after IS 'Words after. NULL: withdrawn.';

-- example: SELECT name, change, score_before, score_after FROM review_changes ORDER BY changed_at DESC LIMIT 5
