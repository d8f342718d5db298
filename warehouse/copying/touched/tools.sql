-- Tools of which a view may say something else, and those that share or shared a name with them.
WITH moved_pages AS (
    SELECT page_id FROM left_pages
    UNION
    SELECT page_id FROM brought_pages
),

direct AS (
    SELECT tool_id FROM left_tools
    UNION
    SELECT tool_id FROM brought_tools
    UNION
    SELECT tool_id FROM left_tool_cards
    UNION
    SELECT tool_id FROM brought_tool_cards
    UNION
    SELECT tool_id FROM left_verdicts
    UNION
    SELECT tool_id FROM brought_verdicts
    UNION
    SELECT tool_id FROM left_reviews
    UNION
    SELECT tool_id FROM brought_reviews
    UNION
    SELECT tool_id FROM left_pricing_tiers
    UNION
    SELECT tool_id FROM brought_pricing_tiers
    UNION
    SELECT tool_id FROM left_price_history
    UNION
    SELECT tool_id FROM brought_price_history
    UNION
    SELECT tool_id FROM tool_cards SEMI JOIN moved_pages USING (page_id)
    UNION
    SELECT tool_id FROM verdicts SEMI JOIN moved_pages USING (page_id)
),

names AS (
    SELECT name FROM left_tools
    UNION
    SELECT name FROM tools SEMI JOIN direct USING (tool_id)
)

SELECT tool_id FROM direct
UNION
SELECT tool_id FROM tools SEMI JOIN names USING (name)
