-- question: What could not be read, and why?
-- topic: trust
-- parameter: reason: only this reason
-- picture: bars reason+stage rejects
SELECT stage, reason, count(*) AS rejects, count(DISTINCT url) AS urls, min(url) AS example_url, arg_min(detail, url) AS example
FROM evidence.rejects
WHERE $reason::VARCHAR IS NULL OR reason = $reason::VARCHAR
GROUP BY stage, reason
ORDER BY rejects DESC, stage, reason
