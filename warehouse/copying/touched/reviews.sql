SELECT review_id FROM left_reviews
UNION
SELECT review_id FROM brought_reviews
UNION
SELECT review_id FROM left_appearances
UNION
SELECT review_id FROM brought_appearances
UNION
SELECT review_id FROM reviews SEMI JOIN touched_renamed_tools USING (tool_id)
