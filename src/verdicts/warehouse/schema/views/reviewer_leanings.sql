CREATE OR REPLACE VIEW reviewer_leanings AS
WITH opinions AS (
    SELECT
        reviewer,
        tool_id,
        verdict,
        score,
        count(score) OVER tool - count(score) OVER reviewer_of_tool AS others,
        score - (sum(score) OVER tool - coalesce(sum(score) OVER reviewer_of_tool, 0)) / nullif(others, 0) AS above_others
    FROM reviews
    WHERE is_shown AND reviewer IS NOT NULL
    WINDOW tool AS (PARTITION BY tool_id), reviewer_of_tool AS (PARTITION BY tool_id, reviewer)
),

final AS (
    SELECT
        reviewer,
        count(*) AS reviews,
        count(DISTINCT tool_id) AS tools,
        count(*) FILTER (WHERE verdict = 'ship') AS ship_reviews,
        count(*) FILTER (WHERE verdict = 'skip') AS skip_reviews,
        100 * count(*) FILTER (WHERE verdict = 'ship') / nullif(count(verdict), 0) AS ship_pct,
        count(score) AS scored_reviews,
        avg(score) AS mean_score,
        median(score) AS median_score,
        round(stddev_samp(score), 6) AS score_stddev,
        count(above_others) AS compared_reviews,
        CASE WHEN compared_reviews >= 10 THEN round(avg(above_others), 6) END AS leaning,
        CASE WHEN compared_reviews >= 10 THEN round(stddev_samp(above_others), 6) END AS leaning_stddev
    FROM opinions
    GROUP BY reviewer
)

SELECT * FROM final;

COMMENT ON VIEW reviewer_leanings IS
    'A reviewer of the panel: how it scores, compared with the rest of the panel on the same tools. Reviews without a reviewer, and withdrawn ones, do not count.';

COMMENT ON COLUMN reviewer_leanings.reviewer IS 'Reviewer as written.';
COMMENT ON COLUMN reviewer_leanings.reviews IS 'Distinct reviews of the reviewer.';
COMMENT ON COLUMN reviewer_leanings.tools IS 'Tools with reviews of the reviewer.';
COMMENT ON COLUMN reviewer_leanings.ship_reviews IS 'Reviews that say ship.';
COMMENT ON COLUMN reviewer_leanings.skip_reviews IS 'Reviews that say skip.';
COMMENT ON COLUMN reviewer_leanings.ship_pct IS 'Share of its verdicts that say ship, percent. NULL: no verdict is known.';
COMMENT ON COLUMN reviewer_leanings.scored_reviews IS 'Reviews with a score: those behind the mean, the median and the standard deviation.';
COMMENT ON COLUMN reviewer_leanings.mean_score IS 'Mean score it gives, 0-100. NULL: no score is known.';
COMMENT ON COLUMN reviewer_leanings.median_score IS 'Median score it gives, 0-100.';
COMMENT ON COLUMN reviewer_leanings.score_stddev IS 'Standard deviation of its scores, points. NULL: fewer than two scores.';
COMMENT ON COLUMN reviewer_leanings.leaning IS 'Mean difference between its score and the mean of the other reviewers on the same tool, points; above 0: it scores higher. The lowest is the harshest reviewer. NULL: fewer than ten reviews to compare.';
COMMENT ON COLUMN reviewer_leanings.leaning_stddev IS 'Standard deviation of these differences, points.';
COMMENT ON COLUMN reviewer_leanings.compared_reviews IS 'Reviews behind the leaning: with a score, on a tool that another reviewer scored.';

-- example: SELECT reviewer, leaning, reviews FROM reviewer_leanings ORDER BY leaning
