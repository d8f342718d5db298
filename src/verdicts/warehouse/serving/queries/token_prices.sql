-- question: What does a million tokens cost?
-- topic: prices
-- parameter: direction: only these tokens (input, output, cached)
-- parameter: category: only tools of this category, as published or as grouped
-- parameter: limit = 50: at most this many prices, cheapest first
-- picture: bars name+direction+raw+tool_id per_million
WITH read AS (
    SELECT
        pricing_tiers.*,
        regexp_extract(pricing_tiers.unit, '(?i)^(?:([\d.,]*)([KMB]?)\s)?(?:(input|output|cached)\s)?tokens?$', ['count', 'scale', 'direction']) AS part
    FROM pricing_tiers
    WHERE pricing_tiers.amount IS NOT NULL AND pricing_tiers.unit ILIKE '%token%'
),

final AS (
    SELECT
        tools.name,
        tools.vendor,
        nullif(lower(read.part.direction), '') AS direction,
        read.amount
        * 1000000
        / (
            coalesce(nullif(replace(read.part.count, ',', ''), '')::DOUBLE, 1)
            * CASE upper(read.part.scale) WHEN 'K' THEN 1000 WHEN 'M' THEN 1000000 WHEN 'B' THEN 1000000000 ELSE 1 END
        ) AS per_million,
        read.currency,
        read.is_from,
        read.raw,
        read.tool_id
    FROM read
    INNER JOIN tools USING (tool_id)
    WHERE
        regexp_matches(read.unit, '(?i)^(?:[\d.,]*[KMB]?\s)?(?:(?:input|output|cached)\s)?tokens?$')
        AND ($category::VARCHAR IS NULL OR $category::VARCHAR IN (tools.category, tools.category_group))
)

SELECT *
FROM final
WHERE $direction::VARCHAR IS NULL OR direction = $direction::VARCHAR
ORDER BY currency, per_million, name, tool_id, direction, raw
LIMIT $limit::BIGINT
