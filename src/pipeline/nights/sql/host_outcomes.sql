-- How the last attempts at the addresses of a crawl ended: how many of each host, and one of them. robots.txt and
-- sitemaps are no pages. Of an address that the frontier does not have, such as a file's, the host is not known here.
WITH attempts AS (
    SELECT url, outcome, max(fetch_id) AS fetch_id
    FROM fetches
    WHERE crawl_id = :crawl_id
    GROUP BY url
)

SELECT urls.host, attempts.outcome, count(*) AS addresses, min(attempts.url) AS example
FROM attempts
LEFT JOIN urls USING (url)
WHERE attempts.outcome <> 'support'
GROUP BY urls.host, attempts.outcome, CASE WHEN urls.host IS NULL THEN attempts.url END
ORDER BY urls.host, attempts.outcome
