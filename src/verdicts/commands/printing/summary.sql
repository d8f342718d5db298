-- What a night leaves behind, in one row.
SELECT
    (SELECT count(*) FROM pages)                        AS "pages",
    (SELECT count(*) FROM tools)                        AS "tools",
    (SELECT count(*) FROM reviews WHERE is_shown)       AS "distinct reviews",
    (SELECT coalesce(sum(appearances) - count(*), 0)::BIGINT FROM reviews) AS "repeated takes folded",
    (SELECT count(*) FROM outside.documents WHERE claim IS NOT NULL) AS "pages of other sites",
    (SELECT count(*) FROM evidence.rejects)                      AS "rejects"
