-- question: On which pages do the votes prefer one tool and the scores the other?
-- topic: disagreement
-- parameter: limit = 50: at most this many pages
-- picture: bars preferred_by_votes+preferred_by_scores+page_id panel_margin_pct
SELECT
    name AS preferred_by_votes,
    other_name AS preferred_by_scores,
    panel_margin_pct,
    round(-score_margin, 2) AS score_margin,
    address,
    page_id
FROM matches
WHERE panel_result = 'won' AND score_result = 'lost'
ORDER BY panel_margin_pct DESC, score_margin DESC, page_id
LIMIT $limit::BIGINT
