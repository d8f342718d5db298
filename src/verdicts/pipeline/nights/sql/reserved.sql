SELECT
    (SELECT count(*) FROM pages WHERE is_reserved) + (SELECT count(*) FROM outside.documents WHERE is_reserved) AS reserved
