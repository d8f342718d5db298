SELECT
    (SELECT count(*) FROM before.pages WHERE kind = 'panel') AS pages,
    (SELECT count(*) FROM before.tools)         AS tools,
    (SELECT count(*) FROM before.reviews WHERE is_shown) AS reviews,
    (SELECT count(*) FROM before.pricing_tiers) AS prices
