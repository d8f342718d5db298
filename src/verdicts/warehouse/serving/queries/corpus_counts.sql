-- question: How much does the corpus hold, and from when?
-- topic: crawl
-- picture: table
SELECT
    (SELECT count(*) FROM tools) AS tools,
    (SELECT count(*) FROM pages) AS pages,
    (SELECT count(*) FROM reviews WHERE is_shown) AS reviews,
    (SELECT count(*) FROM reviews WHERE is_shown AND (attribution = 'ordered' OR confidence < 0.8)) AS weak_reviews,
    (SELECT count(*) FROM reviews WHERE NOT is_shown) AS withdrawn_reviews,
    (SELECT count(*) FROM evidence.rejects) AS rejects,
    (SELECT max(loaded_at) FROM ops.loads) AS loaded_at
