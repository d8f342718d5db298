-- What was read of the page with the key $url, or with the key $other that it leads to, a row for each fact: the page
-- that it became, how many rows of each table it has, and why parts of it could not be read. $crawl_id is the
-- run of its newest snapshot: whether this corpus has it.
WITH the_page AS (
    SELECT page_id, kind, reader, title
    FROM pages
    WHERE url IN ($url, $other)
),

counted AS (
    SELECT 'tools on cards' AS name, count(*) AS number
    FROM evidence.tool_cards
    WHERE page_id IN (SELECT page_id FROM the_page)
    UNION ALL
    SELECT 'columns with a verdict', count(*)
    FROM verdicts
    WHERE page_id IN (SELECT page_id FROM the_page)
    UNION ALL
    SELECT 'reviews', count(*)
    FROM appearances
    WHERE page_id IN (SELECT page_id FROM the_page)
    UNION ALL
    SELECT 'reviews that other hosts show, too', count(*)
    FROM appearances
    INNER JOIN reviews USING (review_id)
    WHERE page_id IN (SELECT page_id FROM the_page) AND len(reviews.hosts) > 1
    UNION ALL
    SELECT 'contradictions', count(*)
    FROM evidence.discrepancies
    WHERE page_id IN (SELECT page_id FROM the_page)
    UNION ALL
    SELECT 'tools', count(*)
    FROM mentions
    WHERE page_id IN (SELECT page_id FROM the_page WHERE kind <> 'panel')
    UNION ALL
    SELECT 'values of a comparison', count(*)
    FROM outside.comparison_rows
    WHERE page_id IN (SELECT page_id FROM the_page)
    UNION ALL
    SELECT 'reviews of another site', count(*)
    FROM outside.outside_reviews
    WHERE page_id IN (SELECT page_id FROM the_page)
),

known AS (
    SELECT 1 AS place, 'page' AS kind, page_id AS name, title AS detail, NULL::BIGINT AS number
    FROM the_page
    WHERE kind = 'panel'
    UNION ALL
    SELECT 2, 'document', reader, kind, NULL
    FROM the_page
    WHERE kind NOT IN ('panel', 'unread')
    UNION ALL
    SELECT 3, 'count', name, NULL, number
    FROM counted
    WHERE number > 0
    UNION ALL
    SELECT 4, 'reject', reason, detail, count(*)
    FROM evidence.rejects
    WHERE url IN ($url, $other)
    GROUP BY reason, detail
    UNION ALL
    SELECT 5, 'loaded', crawl_id, NULL, NULL
    FROM ops.crawls
    WHERE crawl_id = $crawl_id
)

SELECT kind, name, detail, number
FROM known
ORDER BY place, name, detail
