-- question: Which tools are free to start with, by their pricing or, if a page shows no pricing, by their entry?
-- topic: prices
-- parameter: category: only tools of this category, as published or as grouped
-- parameter: evidence: only with this evidence (tiers and entry, tiers against entry, tiers, entry)
-- picture: table
SELECT name, category, entry, has_free_tier, evidence, tool_id
FROM free_to_start
WHERE
    is_free
    AND ($category::VARCHAR IS NULL OR $category::VARCHAR IN (category, category_group))
    AND ($evidence::VARCHAR IS NULL OR evidence = $evidence::VARCHAR)
ORDER BY name, tool_id
