SELECT outside_reviews.url, outside_reviews.position
FROM outside_reviews
ANTI JOIN compared_tools
    ON outside_reviews.url = compared_tools.url
    AND outside_reviews.tool_position = compared_tools.position
WHERE outside_reviews.tool_position IS NOT NULL
