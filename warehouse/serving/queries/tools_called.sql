-- question: Which tools go by this id, beginning of an id, slug or name?
-- parameter: tool: an id, its first characters, a slug, or a name; without it, any tools
-- parameter: limit = 20: so many tools
-- picture: table
WITH matches AS (
    SELECT tool_id, 1 AS closeness FROM tools WHERE tool_id = $tool::VARCHAR
    UNION ALL
    SELECT tool_id, 1 FROM tool_aliases WHERE alias_id = $tool::VARCHAR
    UNION ALL
    SELECT tool_id, 2 FROM tools WHERE slug = lower($tool::VARCHAR)
    UNION ALL
    SELECT tool_id, 3 FROM tools WHERE lower(name) = lower($tool::VARCHAR)
    UNION ALL
    SELECT tool_id, 4
    FROM tools
    WHERE length($tool::VARCHAR) >= 4 AND starts_with(tool_id, lower($tool::VARCHAR))
    UNION ALL
    SELECT tool_id, 5 FROM tools WHERE $tool::VARCHAR IS NULL
),

closest AS (
    SELECT tool_id, min(closeness) AS closeness
    FROM matches
    GROUP BY tool_id
    QUALIFY min(closeness) = min(min(closeness)) OVER ()
)

SELECT
    scorecards.name,
    scorecards.slug,
    scorecards.is_shared_name,
    scorecards.host,
    scorecards.category,
    scorecards.verdict,
    scorecards.mean_score,
    scorecards.takes,
    scorecards.pages,
    scorecards.tool_id
FROM closest
INNER JOIN scorecards USING (tool_id)
ORDER BY scorecards.name, scorecards.slug, scorecards.tool_id
LIMIT $limit::BIGINT
