-- question: What could not be read, and why?
SELECT stage, reason, count(*) AS rejects, count(DISTINCT url) AS urls, min(url) AS example_url, arg_min(detail, url) AS example
FROM rejects
GROUP BY stage, reason
ORDER BY rejects DESC, stage, reason
