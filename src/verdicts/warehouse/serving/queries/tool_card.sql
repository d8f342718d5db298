-- question: What is this tool, and what does the panel say about it in numbers?
-- topic: tools
-- parameter: tool: its id, slug or name; without it, of every tool
-- parameter: limit = 50: at most this many rows
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
    scorecards.panel_verdict,
    scorecards.panel_ship_pct,
    scorecards.ship_votes,
    scorecards.skip_votes,
    scorecards.mean_score,
    scorecards.scored_reviews,
    tools.cheapest_monthly AS cheapest,
    tools.cheapest_currency AS currency,
    scorecards.community_pct,
    scorecards.community_votes,
    scorecards.reviews,
    scorecards.pages,
    tools.first_seen_at,
    tools.last_seen_at,
    tools.tool_id
FROM tools
INNER JOIN scorecards USING (tool_id)
WHERE ($tool::VARCHAR IS NULL OR tools.tool_id = $tool::VARCHAR)
ORDER BY tools.name, tools.tool_id
LIMIT $limit::BIGINT
