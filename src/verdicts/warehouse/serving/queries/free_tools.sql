-- question: Which tools are free to start with, by their pricing or, if a page shows no pricing, by their entry?
-- topic: prices
-- parameter: category: only tools of this category, as published or as grouped
-- parameter: evidence: only with this evidence (tiers and entry, tiers against entry, tiers, entry)
-- picture: table
WITH tiers AS (
    SELECT tool_id, bool_or(is_free) AS has_free_tier
    FROM pricing_tiers
    GROUP BY tool_id
),

final AS (
    SELECT
        tools.name,
        tools.category,
        tools.entry,
        tiers.has_free_tier,
        CASE
            WHEN tiers.has_free_tier IS NULL THEN 'entry'
            WHEN tools.entry IS NULL THEN 'tiers'
            WHEN tools.entry = 'Free' THEN 'tiers and entry'
            ELSE 'tiers against entry'
        END AS evidence,
        tools.tool_id
    FROM tools
    LEFT JOIN tiers USING (tool_id)
    WHERE tools.is_free AND ($category::VARCHAR IS NULL OR $category::VARCHAR IN (tools.category, tools.category_group))
)

SELECT *
FROM final
WHERE $evidence::VARCHAR IS NULL OR evidence = $evidence::VARCHAR
ORDER BY name, tool_id
