-- question: Which two tools does this page compare, and what does it say about each?
-- topic: market
-- parameter: page: its id, address or title; without it, of every page
-- parameter: limit = 50: at most this many rows
-- picture: table
SELECT
    tool_cards.side,
    tool_cards.name,
    coalesce(verdicts.panel_verdict, tool_cards.chip) AS panel_verdict,
    tool_cards.panel_ship_pct,
    verdicts.ship_votes,
    verdicts.skip_votes,
    tools.mean_score,
    tools.scored_reviews,
    coalesce(verdicts.community_pct, tool_cards.community_pct) AS community_pct,
    tool_cards.category,
    tool_cards.entry,
    verdicts.pricing,
    tool_cards.tagline,
    pages.title,
    pages.address,
    pages.renderings,
    pages.is_gone,
    pages.first_seen_at,
    pages.last_seen_at,
    tools.slug,
    tools.is_shared_name,
    tool_cards.tool_id,
    pages.page_id
FROM pages
LEFT JOIN evidence.tool_cards USING (page_id)
LEFT JOIN verdicts ON tool_cards.page_id = verdicts.page_id AND tool_cards.side = verdicts.side
LEFT JOIN tools ON tool_cards.tool_id = tools.tool_id
WHERE ($page::VARCHAR IS NULL OR pages.page_id = $page::VARCHAR)
ORDER BY pages.page_id, tool_cards.side
LIMIT $limit::BIGINT
