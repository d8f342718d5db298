-- question: On which tools do panel and community differ most?
-- topic: disagreement
-- parameter: votes = 10: only tools with at least this many votes of the community
-- parameter: limit = 50: at most this many tools
-- note: the interval (95 %) is that of the community's share
-- hides: tools with fewer than ten votes of the community; a smaller number of votes shows them
-- picture: bars name+slug+tool_id distance
SELECT
    name,
    abs(panel_ship_pct - community_pct) AS distance,
    panel_ship_pct,
    community_pct,
    community_votes,
    round(wilson_pct(round(community_pct * community_votes / 100), community_votes, -1.96), 1) AS community_from_pct,
    round(wilson_pct(round(community_pct * community_votes / 100), community_votes, 1.96), 1) AS community_to_pct,
    ship_votes + skip_votes AS panel_size,
    panel_verdict,
    slug,
    tool_id
FROM tools
WHERE panel_ship_pct IS NOT NULL AND community_pct IS NOT NULL AND community_votes >= $votes::BIGINT
ORDER BY distance DESC, name, tool_id
LIMIT $limit::BIGINT
