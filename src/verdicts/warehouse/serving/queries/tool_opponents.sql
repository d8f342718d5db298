-- question: Which tools are compared with this one, and which one wins?
-- topic: market
-- parameter: tool: its id, slug or name; without it, of every tool
-- parameter: limit = 50: at most this many pages
-- picture: table
SELECT
    matches.other_name AS name,
    CASE matches.panel_result WHEN 'won' THEN 'this one' WHEN 'lost' THEN 'the other' WHEN 'tied' THEN 'even' END
        AS ahead_by_votes,
    matches.panel_ship_pct AS panel_here_pct,
    matches.other_panel_ship_pct AS panel_there_pct,
    matches.mean_score AS mean_here,
    matches.scored_reviews AS scored_here,
    matches.other_mean_score AS mean_there,
    matches.other_scored_reviews AS scored_there,
    matches.name AS name_here,
    tools.slug,
    tools.is_shared_name,
    matches.other_tool_id AS tool_id,
    matches.page_id
FROM matches
INNER JOIN tools ON matches.other_tool_id = tools.tool_id
WHERE ($tool::VARCHAR IS NULL OR matches.tool_id = $tool::VARCHAR)
ORDER BY name, tools.slug, matches.page_id
LIMIT $limit::BIGINT
