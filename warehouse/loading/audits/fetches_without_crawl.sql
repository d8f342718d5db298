SELECT fetches.fetch_id, fetches.crawl_id
FROM fetches
ANTI JOIN crawls USING (crawl_id)
