-- Each address of a crawl and how its last attempt ended. robots.txt and sitemaps are no pages.
WITH attempts AS (
    SELECT url, outcome, max(fetch_id) AS fetch_id
    FROM fetches
    WHERE crawl_id = :crawl_id
    GROUP BY url
)

SELECT url, outcome
FROM attempts
WHERE outcome <> 'support'
ORDER BY url
