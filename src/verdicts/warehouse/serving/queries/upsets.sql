-- question: On which pages do the votes prefer one tool and the scores the other?
-- topic: disagreement
-- parameter: limit = 50: at most this many pages
-- picture: bars preferred_by_votes+preferred_by_scores+page_id panel_margin_pct
SELECT
    panel_winner_name AS preferred_by_votes,
    score_winner_name AS preferred_by_scores,
    abs(panel_margin_pct) AS panel_margin_pct,
    round(abs(mean_score_a - mean_score_b), 2) AS score_margin,
    address,
    page_id
FROM matches
WHERE panel_winner_id <> score_winner_id
ORDER BY panel_margin_pct DESC, score_margin DESC, page_id
LIMIT $limit::BIGINT
