-- Tools that came, went or have another name, each with its names of before and after.
(
    SELECT tool_id, name FROM left_tools
    EXCEPT
    SELECT tool_id, name FROM brought_tools
)
UNION
(
    SELECT tool_id, name FROM brought_tools
    EXCEPT
    SELECT tool_id, name FROM left_tools
)
