-- The addresses of some crawls by outcome; `other` were settled without a page: redirected, gone, forbidden, not a page.
SELECT
    crawl_id,
    unchanged,
    fetched AS stored,
    (
        SELECT coalesce(sum(endings.addresses), 0)
        FROM endings
        WHERE endings.crawl_id = crawls.crawl_id AND endings.ending IN (SELECT value FROM json_each(:settled))
    ) AS other,
    failed
FROM crawls
WHERE crawl_id IN (SELECT value FROM json_each(:crawls))
