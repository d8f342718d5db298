CREATE OR REPLACE VIEW reviewer_leanings AS
WITH totals AS (
    SELECT tool_id, sum(score) AS panel_sum, count(score) AS panel_size
    FROM reviews
    WHERE seat IS NOT NULL
    GROUP BY tool_id
),

takes AS (
    SELECT
        reviews.seat,
        reviews.tool_id,
        reviews.verdict,
        reviews.score,
        CASE
            WHEN totals.panel_size > 1
                THEN reviews.score - (totals.panel_sum - reviews.score) / (totals.panel_size - 1)
        END AS distance
    FROM reviews
    INNER JOIN totals USING (tool_id)
    WHERE reviews.seat IS NOT NULL
),

final AS (
    SELECT
        seat,
        count(*) AS takes,
        count(DISTINCT tool_id) AS tools,
        count(*) FILTER (WHERE verdict = 'ship') AS ship_takes,
        count(*) FILTER (WHERE verdict = 'skip') AS skip_takes,
        100 * count(*) FILTER (WHERE verdict = 'ship') / nullif(count(verdict), 0) AS ship_pct,
        avg(score) AS mean_score,
        median(score) AS median_score,
        stddev_samp(score) AS score_stddev,
        avg(distance) AS leaning
    FROM takes
    GROUP BY seat
)

SELECT * FROM final;

COMMENT ON VIEW reviewer_leanings IS
    'A seat of the panel: how it scores, compared with the rest of the panel on the same tools. Takes without a seat do not count.';

COMMENT ON COLUMN reviewer_leanings.seat IS 'Seat as written.';
COMMENT ON COLUMN reviewer_leanings.takes IS 'Distinct takes of the seat.';
COMMENT ON COLUMN reviewer_leanings.tools IS 'Tools with takes of the seat.';
COMMENT ON COLUMN reviewer_leanings.ship_takes IS 'Takes that say ship.';
COMMENT ON COLUMN reviewer_leanings.skip_takes IS 'Takes that say skip.';
COMMENT ON COLUMN reviewer_leanings.ship_pct IS 'Share of its verdicts that say ship, percent. NULL: no verdict is known.';
COMMENT ON COLUMN reviewer_leanings.mean_score IS 'Mean score it gives, 0-100. NULL: no score is known.';
COMMENT ON COLUMN reviewer_leanings.median_score IS 'Median score it gives, 0-100.';
COMMENT ON COLUMN reviewer_leanings.score_stddev IS 'Standard deviation of its scores, points. NULL: fewer than two scores.';
COMMENT ON COLUMN reviewer_leanings.leaning IS 'Mean difference between its score and the mean of the other seats on the same tool, points; above 0: it scores higher. NULL: no other seat scored its tools.';

-- example: SELECT seat, leaning, takes FROM reviewer_leanings ORDER BY leaning
