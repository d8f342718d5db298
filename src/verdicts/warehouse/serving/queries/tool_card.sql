-- question: What is this tool, and what does the panel say about it in numbers?
-- topic: tools
-- parameter: tool: its id, slug or name; without it, of every tool
-- parameter: limit = 50: at most this many rows
-- picture: table
SELECT
    name,
    tagline,
    description,
    category,
    category_group,
    product,
    entry,
    host,
    slug,
    is_shared_name,
    panel_verdict,
    panel_ship_pct,
    ship_votes,
    skip_votes,
    mean_score,
    scored_reviews,
    cheapest_monthly AS cheapest,
    cheapest_currency AS currency,
    community_pct,
    community_votes,
    reviews,
    pages,
    first_seen_at,
    last_seen_at,
    tool_id
FROM tools
WHERE ($tool::VARCHAR IS NULL OR tool_id = $tool::VARCHAR)
ORDER BY name, tool_id
LIMIT $limit::BIGINT
