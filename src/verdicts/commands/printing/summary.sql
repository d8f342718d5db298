-- What a night leaves behind, in one row.
SELECT
    (SELECT count(*) FROM pages)                        AS "pages",
    (SELECT count(*) FROM tools)                        AS "tools",
    (SELECT count(*) FROM reviews WHERE is_shown)       AS "distinct reviews",
    (SELECT coalesce(sum(appearances) - count(*), 0)::BIGINT FROM reviews) AS "repeated texts folded",
    (
        SELECT count(*)
        FROM outside.documents
        -- A list of the panel's own pages is none.
        WHERE claim IS NOT NULL OR host NOT IN (SELECT host FROM pages WHERE host IS NOT NULL)
    )                                                            AS "pages of other sites",
    (SELECT count(*) FROM evidence.rejects)                      AS "rejects"
