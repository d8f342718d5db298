-- question: How do other sites rate the tools of the panel?
-- topic: disagreement
-- parameter: tool: its id, slug or name; without it, of every tool
-- parameter: limit = 50: at most this many ratings
-- needs: sites
-- picture: table
SELECT
    name,
    mean_score,
    scored_reviews,
    outside_pct,
    ratings,
    host,
    panel_verdict,
    panel_ship_pct,
    rating,
    rating_best,
    address,
    slug,
    tool_id
FROM outside.tool_outside_ratings
WHERE ($tool::VARCHAR IS NULL OR tool_id = $tool::VARCHAR)
ORDER BY abs(mean_score - outside_pct) DESC NULLS LAST, name, tool_id, page_id, tool_number
LIMIT $limit::BIGINT
