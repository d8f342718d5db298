-- question: Which tools are compared with this one, and which one wins?
-- topic: market
-- parameter: tool: its id, slug or name; without it, of every tool
-- parameter: limit = 50: at most this many pages
-- picture: table
SELECT
    tool_matches.other_name AS name,
    scorecards.slug,
    scorecards.is_shared_name,
    tool_matches.panel_ship_pct AS panel_here_pct,
    tool_matches.other_panel_ship_pct AS panel_there_pct,
    tool_matches.mean_score AS mean_here,
    tool_matches.other_mean_score AS mean_there,
    CASE tool_matches.panel_result WHEN 'won' THEN 'this one' WHEN 'lost' THEN 'the other' WHEN 'tied' THEN 'even' END
        AS ahead_by_votes,
    tool_matches.name AS name_here,
    tool_matches.other_tool_id AS tool_id,
    tool_matches.page_id
FROM tool_matches
INNER JOIN scorecards ON tool_matches.other_tool_id = scorecards.tool_id
WHERE ($tool::VARCHAR IS NULL OR tool_matches.tool_id = $tool::VARCHAR)
ORDER BY name, scorecards.slug, tool_matches.page_id
LIMIT $limit::BIGINT
