-- Tools that only reserved pages show.
DELETE FROM tools
WHERE
    tool_id IN (SELECT tool_id FROM touched_tools)
    AND tool_id NOT IN (SELECT tool_id FROM evidence.tool_cards)
