-- How many rows have a value, of the fields that readers ask for; the emptiest first.
WITH counts AS (
    SELECT 'score of a review' AS name, count(score) AS filled, count(*) AS held FROM reviews WHERE is_shown
    UNION ALL
    SELECT 'verdict of a review', count(verdict), count(*) FROM reviews WHERE is_shown
    UNION ALL
    SELECT 'reviewer of a review', count(reviewer), count(*) FROM reviews WHERE is_shown
    UNION ALL
    SELECT 'panel''s percentage', count(panel_ship_pct), count(*) FROM evidence.tool_cards
    UNION ALL
    SELECT 'tagline', count(tagline), count(*) FROM tools
    UNION ALL
    SELECT 'category', count(category), count(*) FROM tools
    UNION ALL
    SELECT 'verdict of the panel', count(panel_verdict), count(*) FROM verdicts
    UNION ALL
    SELECT 'price', count(pricing), count(*) FROM verdicts
)

SELECT name, filled, held
FROM counts
WHERE held > 0
ORDER BY filled / held, name
