-- What a night leaves behind, in one row.
WITH other_pages AS (
    SELECT page_id
    FROM other_pages()
    WHERE kind <> 'unread' AND NOT is_gone
)

SELECT
    (SELECT count(*) FROM pages WHERE kind = 'panel')   AS "pages",
    (SELECT count(*) FROM tools)                        AS "tools",
    (SELECT count(*) FROM reviews WHERE is_shown)       AS "distinct reviews",
    (SELECT coalesce(sum(appearances) - count(*), 0)::BIGINT FROM reviews) AS "repeated texts folded",
    (SELECT count(*) FROM other_pages)                  AS "pages of other sites",
    (SELECT count(DISTINCT name_key) FROM mentions INNER JOIN other_pages USING (page_id)) AS "tools on them",
    (SELECT count(*) FROM outside.comparison_rows INNER JOIN other_pages USING (page_id)) AS "values of tools",
    (SELECT count(*) FROM evidence.rejects)             AS "rejects"
