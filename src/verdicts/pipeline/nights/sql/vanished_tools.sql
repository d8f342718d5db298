-- Tools that are gone with all their pages since the copy before, and those that have no row any more.
WITH shown AS (
    SELECT tool_cards.tool_id
    FROM evidence.tool_cards
    INNER JOIN pages USING (page_id)
    GROUP BY tool_cards.tool_id
    HAVING NOT bool_and(pages.is_gone)
),

shown_before AS (
    SELECT cards.tool_id
    FROM before.evidence.tool_cards AS cards
    INNER JOIN before.pages AS pages USING (page_id)
    GROUP BY cards.tool_id
    HAVING NOT bool_and(pages.is_gone)
),

vanished AS (
    SELECT shown_before.tool_id
    FROM shown_before
    ANTI JOIN shown USING (tool_id)
    ANTI JOIN evidence.tool_aliases ON shown_before.tool_id = tool_aliases.alias_id
)

SELECT count(*) OVER () AS total, earlier.name, earlier.category
FROM before.tools AS earlier
SEMI JOIN vanished USING (tool_id)
ORDER BY earlier.name, earlier.tool_id
LIMIT $most::BIGINT
