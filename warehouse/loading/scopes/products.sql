-- All of them: products are found among all tools.
SELECT products.* FROM products
