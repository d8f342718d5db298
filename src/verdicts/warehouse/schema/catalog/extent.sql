-- How many nights and sites the corpus has.
SELECT
    (SELECT count(*) FROM ops.crawls) AS nights,
    (SELECT count(*) FROM (SELECT DISTINCT host FROM pages)) AS sites
