-- question: What is this tool, and what does the panel say of it in numbers?
-- parameter: tool: its tool_id
-- picture: table
SELECT
    tools.name,
    tools.tagline,
    tools.description,
    tools.category,
    tools.category_group,
    tools.product,
    tools.entry,
    tools.host,
    tools.slug,
    scorecards.verdict,
    scorecards.panel_ship_pct,
    scorecards.ship_votes,
    scorecards.skip_votes,
    scorecards.mean_score,
    scorecards.community_pct,
    scorecards.community_votes,
    scorecards.takes,
    scorecards.pages,
    tools.first_seen_at,
    tools.last_seen_at,
    tools.tool_id
FROM tools
INNER JOIN scorecards USING (tool_id)
WHERE tools.tool_id = $tool::VARCHAR
