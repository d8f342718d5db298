-- Decisions about what is left out quote it.
WITH left_out AS (
    SELECT page_id AS id
    FROM reserved_pages
    UNION ALL
    (SELECT tool_id FROM whole.main.tools EXCEPT SELECT tool_id FROM tools)
    UNION ALL
    (SELECT review_id FROM whole.main.reviews EXCEPT SELECT review_id FROM reviews)
)

DELETE FROM evidence.corrections
WHERE list_has_any(about, (SELECT list(id) FROM left_out))
