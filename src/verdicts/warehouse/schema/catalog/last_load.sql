SELECT load_id, loaded_at, extractor_version
FROM ops.loads
ORDER BY load_id DESC
LIMIT 1
