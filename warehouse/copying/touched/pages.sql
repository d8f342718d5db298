WITH scored_otherwise AS (
    SELECT tool_id FROM left_reviews
    UNION
    SELECT tool_id FROM brought_reviews
)

SELECT page_id FROM left_pages
UNION
SELECT page_id FROM brought_pages
UNION
SELECT page_id FROM left_tool_cards
UNION
SELECT page_id FROM brought_tool_cards
UNION
SELECT page_id FROM left_verdicts
UNION
SELECT page_id FROM brought_verdicts
UNION
SELECT page_id FROM left_verdict_history
UNION
SELECT page_id FROM brought_verdict_history
UNION
SELECT page_id FROM tool_cards SEMI JOIN scored_otherwise USING (tool_id)
UNION
SELECT page_id FROM verdict_history SEMI JOIN touched_renamed_tools USING (tool_id)
