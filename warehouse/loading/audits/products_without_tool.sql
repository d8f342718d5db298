SELECT products.tool_id
FROM products
ANTI JOIN tools USING (tool_id)
