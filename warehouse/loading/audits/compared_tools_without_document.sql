SELECT compared_tools.url, compared_tools.position
FROM compared_tools
ANTI JOIN documents USING (url)
