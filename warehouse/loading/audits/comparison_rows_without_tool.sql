SELECT comparison_rows.url, comparison_rows.position
FROM comparison_rows
ANTI JOIN compared_tools
    ON comparison_rows.url = compared_tools.url
    AND comparison_rows.tool_position = compared_tools.position
WHERE comparison_rows.kind = 'attribute'
