-- How many nights and sites the corpus has.
SELECT
    (SELECT count(*) FROM ops.crawls) AS nights,
    (SELECT count(*) FROM (SELECT host FROM pages UNION SELECT host FROM outside.documents)) AS sites
