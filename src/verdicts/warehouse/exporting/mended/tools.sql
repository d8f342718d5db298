-- Tools with a card on a reserved page: what their cards on other pages say, the page seen last first.
WITH shown AS (
    SELECT
        tool_cards.tool_id,
        arg_max(tool_cards.tagline, pages.last_seen_at) AS tagline,
        arg_max(tool_cards.description, pages.last_seen_at) AS description,
        arg_max(tool_cards.category, pages.last_seen_at) AS category,
        arg_max(tool_cards.entry, pages.last_seen_at) AS entry
    FROM evidence.tool_cards
    INNER JOIN pages USING (page_id)
    GROUP BY ALL
)

UPDATE tools
SET
    tagline = shown.tagline,
    description = shown.description,
    category = shown.category,
    category_group = CASE WHEN shown.category IS NULL THEN NULL ELSE tools.category_group END,
    entry = shown.entry
FROM shown
WHERE shown.tool_id = tools.tool_id AND tools.tool_id IN (SELECT tool_id FROM touched_tools)
