-- question: Which tool beats which, by the votes of the panel or by scores?
-- topic: market
-- parameter: tool: only matches that this tool won or lost
-- parameter: category: only winners of this category, as published or as grouped
-- parameter: by = panel: what decides a match (panel, score)
-- parameter: limit = 50: at most this many pairs, the clearest first
-- picture: bars name+other_name+tool_id+other_tool_id margin
SELECT
    matches.name,
    matches.other_name,
    avg(if($by::VARCHAR = 'score', matches.score_margin, matches.panel_margin_pct)) AS margin,
    count(*) AS won_pages,
    min(matches.url) AS url,
    tools.category_group,
    matches.tool_id,
    matches.other_tool_id
FROM tool_matches AS matches
INNER JOIN tools USING (tool_id)
WHERE
    'won' = CASE $by::VARCHAR WHEN 'score' THEN matches.score_result WHEN 'panel' THEN matches.panel_result END
    AND ($tool::VARCHAR IS NULL OR $tool::VARCHAR IN (matches.tool_id, matches.other_tool_id))
    AND ($category::VARCHAR IS NULL OR $category::VARCHAR IN (tools.category, tools.category_group))
GROUP BY matches.name, matches.other_name, tools.category_group, matches.tool_id, matches.other_tool_id
ORDER BY margin DESC, matches.name, matches.other_name, matches.tool_id, matches.other_tool_id
LIMIT $limit::BIGINT
