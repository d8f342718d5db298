-- question: How much is in the corpus, and since when?
-- topic: crawl
-- picture: table
WITH counted AS (
    SELECT
        count(*) FILTER (kind = 'panel') AS pages,
        count(*) FILTER (kind <> 'panel' AND is_gone) AS gone_other_pages,
        count(*) FILTER (kind = 'unread') AS unread_pages
    FROM pages
)

SELECT
    (SELECT count(*) FROM tools) AS tools,
    counted.pages,
    (SELECT count(*) FROM reviews WHERE is_shown) AS reviews,
    (SELECT count(*) FROM reviews WHERE is_shown AND (attribution = 'ordered' OR confidence < 0.8)) AS weak_reviews,
    (SELECT count(*) FROM reviews WHERE NOT is_shown) AS withdrawn_reviews,
    (SELECT count(*) FROM other_pages() WHERE kind <> 'unread') AS other_pages,
    counted.gone_other_pages,
    counted.unread_pages,
    (SELECT count(DISTINCT name_key) FROM mentions_meant(NULL) WHERE NOT is_gone) AS mentioned_tools,
    (
        SELECT count(*)
        FROM outside.comparison_rows
        INNER JOIN pages USING (page_id)
        WHERE NOT pages.is_gone
    ) AS facts,
    (SELECT count(*) FROM evidence.rejects) AS rejects,
    (SELECT max(loaded_at) FROM ops.loads) AS loaded_at
FROM counted
