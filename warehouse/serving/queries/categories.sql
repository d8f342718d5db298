-- question: Which categories are there, synonyms taken together, and how many tools has each?
-- topic: market
-- picture: bars category tools
SELECT category_group AS category, count(*) AS tools
FROM tools
WHERE category_group IS NOT NULL
GROUP BY category_group
ORDER BY tools DESC, category
