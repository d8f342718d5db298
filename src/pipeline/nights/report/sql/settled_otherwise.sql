-- How many addresses of some crawls were settled without a page: redirected, gone, forbidden, not a page.
SELECT crawl_id, count(*) AS addresses
FROM fetches
WHERE
    crawl_id IN (SELECT value FROM json_each(:crawls))
    AND outcome IN (SELECT value FROM json_each(:settled))
GROUP BY crawl_id
