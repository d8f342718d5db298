-- question: On which tools do panel and community differ most?
-- topic: disagreement
-- parameter: votes = 1: only tools with at least this many votes of the community; an unknown number counts as one
-- parameter: limit = 50: at most this many tools
-- picture: bars name+slug+tool_id distance
SELECT
    name,
    abs(panel_ship_pct - community_pct) AS distance,
    panel_ship_pct,
    community_pct,
    community_votes,
    panel_verdict,
    slug,
    tool_id
FROM tools
WHERE panel_ship_pct IS NOT NULL AND community_pct IS NOT NULL AND coalesce(community_votes, 1) >= $votes::BIGINT
ORDER BY distance DESC, name, tool_id
LIMIT $limit::BIGINT
