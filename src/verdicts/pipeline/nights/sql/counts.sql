SELECT
    (SELECT count(*) FROM pages WHERE kind = 'panel') AS pages,
    (SELECT count(*) FROM tools)         AS tools,
    (SELECT count(*) FROM reviews WHERE is_shown) AS reviews,
    (SELECT count(*) FROM pricing_tiers) AS prices
