-- question: Which statements contradict each other, what could not be read, how often, since when, and where is an example?
-- topic: trust
-- parameter: kind: only this kind (discrepancy, reject)
-- parameter: rule: only this rule or reason
-- parameter: host: only this host
-- parameter: since = -infinity: only what became known from this moment on
-- picture: bars rule+kind doubts
SELECT
    rule,
    kind,
    count(*) AS doubts,
    count(DISTINCT coalesce(url, page_id)) AS pages,
    count(DISTINCT host) AS hosts,
    min(first_seen_at) AS first_seen_at,
    max(first_seen_at) AS newest_at,
    arg_min_null(expected, (coalesce(url, page_id), expected, found)) AS expected,
    arg_min_null(found, (coalesce(url, page_id), expected, found)) AS found,
    arg_min_null(url, (coalesce(url, page_id), expected, found)) AS example_url,
    arg_min_null(page_id, (coalesce(url, page_id), expected, found)) AS page_id
FROM evidence.doubts
WHERE
    ($kind::VARCHAR IS NULL OR kind = $kind::VARCHAR)
    AND ($rule::VARCHAR IS NULL OR rule = $rule::VARCHAR)
    AND ($host::VARCHAR IS NULL OR host = lower($host::VARCHAR))
    AND first_seen_at >= $since::TIMESTAMPTZ
GROUP BY rule, kind
ORDER BY doubts DESC, rule, kind
