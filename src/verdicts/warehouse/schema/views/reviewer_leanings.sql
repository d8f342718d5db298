CREATE OR REPLACE VIEW reviewer_leanings AS
WITH takes AS (
    SELECT
        seat,
        tool_id,
        verdict,
        score,
        sum(score) OVER tool - coalesce(sum(score) OVER seat_of_tool, 0) AS others_sum,
        count(score) OVER tool - count(score) OVER seat_of_tool AS others
    FROM reviews
    WHERE is_shown AND seat IS NOT NULL
    WINDOW tool AS (PARTITION BY tool_id), seat_of_tool AS (PARTITION BY tool_id, seat)
),

final AS (
    SELECT
        seat,
        count(*) AS takes,
        count(DISTINCT tool_id) AS tools,
        count(*) FILTER (WHERE verdict = 'ship') AS ship_takes,
        count(*) FILTER (WHERE verdict = 'skip') AS skip_takes,
        100 * count(*) FILTER (WHERE verdict = 'ship') / nullif(count(verdict), 0) AS ship_pct,
        count(score) AS scored_takes,
        avg(score) AS mean_score,
        median(score) AS median_score,
        round(stddev_samp(score), 6) AS score_stddev,
        round(avg(score - others_sum / nullif(others, 0)), 6) AS leaning,
        count(score) FILTER (WHERE others > 0) AS compared_takes
    FROM takes
    GROUP BY seat
)

SELECT * FROM final;

COMMENT ON VIEW reviewer_leanings IS
    'A seat of the panel: how it scores, compared with the rest of the panel on the same tools. Takes without a seat, and withdrawn ones, do not count.';

COMMENT ON COLUMN reviewer_leanings.seat IS 'Seat as written.';
COMMENT ON COLUMN reviewer_leanings.takes IS 'Distinct takes of the seat.';
COMMENT ON COLUMN reviewer_leanings.tools IS 'Tools with takes of the seat.';
COMMENT ON COLUMN reviewer_leanings.ship_takes IS 'Takes that say ship.';
COMMENT ON COLUMN reviewer_leanings.skip_takes IS 'Takes that say skip.';
COMMENT ON COLUMN reviewer_leanings.ship_pct IS 'Share of its verdicts that say ship, percent. NULL: no verdict is known.';
COMMENT ON COLUMN reviewer_leanings.scored_takes IS 'Takes with a score: those behind the mean, the median and the standard deviation.';
COMMENT ON COLUMN reviewer_leanings.mean_score IS 'Mean score it gives, 0-100. NULL: no score is known.';
COMMENT ON COLUMN reviewer_leanings.median_score IS 'Median score it gives, 0-100.';
COMMENT ON COLUMN reviewer_leanings.score_stddev IS 'Standard deviation of its scores, points. NULL: fewer than two scores.';
COMMENT ON COLUMN reviewer_leanings.leaning IS 'Mean difference between its score and the mean of the other seats on the same tool, points; above 0: it scores higher. NULL: no other seat scored its tools.';
COMMENT ON COLUMN reviewer_leanings.compared_takes IS 'Takes behind the leaning: with a score, on a tool that another seat scored.';

-- example: SELECT seat, leaning, takes FROM reviewer_leanings ORDER BY leaning
