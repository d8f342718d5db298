-- question: Which tool beats which, by the votes of the panel or by scores?
-- topic: market
-- parameter: tool: only matches that this tool won or lost
-- parameter: category: only winners of this category, as published or as grouped
-- parameter: by = panel: what decides a match (panel, score)
-- parameter: limit = 50: at most this many pairs, the clearest first
-- picture: bars name+other_name+tool_id+other_tool_id margin
WITH margins AS (
    SELECT tool_id, other_tool_id, address, if($by::VARCHAR = 'score', score_margin, panel_margin_pct) AS margin
    FROM matches
    WHERE $by::VARCHAR IN ('panel', 'score') AND ($tool::VARCHAR IS NULL OR $tool::VARCHAR IN (tool_id, other_tool_id))
)

-- Of several pages the mean counts, so that no tool both beats another and is beaten by it.
SELECT
    one.name,
    other.name AS other_name,
    round(avg(margins.margin), 6) AS margin,
    count(margins.margin) AS pages,
    count_if(margins.margin > 0) AS won_pages,
    min(margins.address) AS address,
    one.category_group,
    one.slug,
    one.is_shared_name,
    other.slug AS other_slug,
    other.is_shared_name AS other_is_shared_name,
    one.tool_id,
    other.tool_id AS other_tool_id
FROM margins
INNER JOIN tools AS one USING (tool_id)
INNER JOIN tools AS other ON margins.other_tool_id = other.tool_id
WHERE $category::VARCHAR IS NULL OR $category::VARCHAR IN (one.category, one.category_group)
GROUP BY ALL
HAVING round(avg(margins.margin), 6) > 0
ORDER BY margin DESC, one.name, other.name, one.tool_id, other.tool_id
LIMIT $limit::BIGINT
