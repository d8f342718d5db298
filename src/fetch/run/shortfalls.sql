-- Attempts of a crawl that ended its addresses: by host, outcome and status. robots.txt and sitemaps are each by
-- themselves, as the frontier does not have them.
WITH attempts AS (
    SELECT url, outcome, status_code, max(fetch_id)
    FROM fetches
    WHERE crawl_id = :crawl_id
    GROUP BY url
)

SELECT urls.host, min(attempts.url) AS example, attempts.outcome, attempts.status_code, count(*) AS addresses
FROM attempts
LEFT JOIN urls USING (url)
GROUP BY urls.host, attempts.outcome, attempts.status_code, CASE WHEN urls.host IS NULL THEN attempts.url END
ORDER BY urls.host, addresses DESC, example
