-- How many nights and sites the corpus has.
SELECT
    (SELECT count(*) FROM pages WHERE kind = 'panel') AS panel_pages,
    (SELECT count(*) FROM ops.crawls) AS nights,
    (SELECT count(*) FROM (SELECT DISTINCT host FROM pages)) AS sites
