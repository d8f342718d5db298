-- What pages in reach contradict, but for what is said there of the takes of tools out of reach.
SELECT discrepancies.*
FROM discrepancies
WHERE
    page_id IN (SELECT page_id FROM scope_pages)
    AND (
        rule NOT IN ('take_tool_conflict', 'attribution_conflict', 'seat_conflict')
        OR tool_id IS NULL
        OR tool_id IN (SELECT tool_id FROM scope_tools)
    )
