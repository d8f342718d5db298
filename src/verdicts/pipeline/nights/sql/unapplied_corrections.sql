SELECT
    count(*) OVER () AS total,
    kind || ' of ' || made_by || ': ' || coalesce(subject, row_key) AS correction,
    outcome,
    detail
FROM evidence.corrections
WHERE outcome <> 'applied'
ORDER BY outcome, correction_id
LIMIT $most
