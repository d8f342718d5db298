-- question: What contradicts itself or could not be read, where, and since when? (Decisions settle others: doubts_to_settle.)
-- topic: trust
-- parameter: host: only this host
-- parameter: since = -infinity: only what became known from this moment on
-- picture: bars rule+host+kind doubts
SELECT
    rule,
    kind,
    host,
    count(*) AS doubts,
    count(DISTINCT url) AS urls,
    min(first_seen_at) AS first_seen_at,
    max(first_seen_at) AS newest_at,
    min(url) AS example_url
FROM evidence.doubts
WHERE ($host::VARCHAR IS NULL OR host = lower($host::VARCHAR)) AND first_seen_at >= $since::TIMESTAMPTZ
GROUP BY rule, kind, host
ORDER BY doubts DESC, rule, kind, host
