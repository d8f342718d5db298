-- question: How do other sites rate the tools of the panel?
-- topic: disagreement
-- parameter: tool: its id, slug or name; without it, of every tool
-- parameter: limit = 50: at most this many ratings
-- needs: sites
-- picture: table
SELECT
    name,
    panel_ship_pct,
    mean_score,
    scored_reviews,
    panel_verdict,
    outside_pct,
    rating,
    rating_best,
    ratings,
    host,
    address,
    slug,
    tool_id
FROM outside.tool_outside_ratings
WHERE ($tool::VARCHAR IS NULL OR tool_id = $tool::VARCHAR)
ORDER BY abs(mean_score - outside_pct) DESC NULLS LAST, name, tool_id, page_id, tool_number
LIMIT $limit::BIGINT
