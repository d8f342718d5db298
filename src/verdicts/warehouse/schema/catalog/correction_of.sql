-- The newest correction about a record whose id begins so.
SELECT
    correction_id,
    made_by,
    reason
FROM evidence.corrections
WHERE list_any_value(list_filter(about, lambda one : starts_with(one, $id))) IS NOT NULL
ORDER BY made_at DESC, correction_id
LIMIT 1
