-- A page and its two cards.
SELECT
    pages.page_id AS page, pages.url, pages.title, array_to_string(pages.renderings, ', ') AS renderings,
    tool_cards.side, tool_cards.name AS tool, tool_cards.panel_ship_pct AS panel_pct, tool_cards.chip,
    verdicts.verdict_raw AS verdict, verdicts.pricing
FROM pages
JOIN tool_cards USING (page_id)
LEFT JOIN verdicts USING (page_id, side)
WHERE page_id = :id
ORDER BY side
