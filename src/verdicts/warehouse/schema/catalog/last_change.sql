-- The newest load that changed the corpus: a later one only added to logs, or found pages as they were.
SELECT load_id, loaded_at, extractor_version
FROM ops.loads
WHERE rows_added + rows_changed + rows_removed > 0
ORDER BY load_id DESC
LIMIT 1
