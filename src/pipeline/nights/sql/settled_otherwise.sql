-- How many addresses of some crawls were settled without a page: redirected, gone, forbidden, not a page.
SELECT crawl_id, sum(addresses) AS addresses
FROM endings
WHERE
    crawl_id IN (SELECT value FROM json_each(:crawls))
    AND ending IN (SELECT value FROM json_each(:settled))
GROUP BY crawl_id
