CREATE OR REPLACE VIEW tool_matches AS
WITH sides AS (
    SELECT
        page_id,
        address,
        'a' AS side,
        tool_a_id AS tool_id,
        tool_a_name AS name,
        tool_b_id AS other_tool_id,
        tool_b_name AS other_name,
        panel_verdict_a AS panel_verdict,
        panel_verdict_b AS other_panel_verdict,
        panel_a_pct AS panel_ship_pct,
        panel_b_pct AS other_panel_ship_pct,
        mean_score_a AS mean_score,
        mean_score_b AS other_mean_score
    FROM matches
    UNION ALL
    SELECT page_id, address, 'b', tool_b_id, tool_b_name, tool_a_id, tool_a_name, panel_verdict_b, panel_verdict_a, panel_b_pct, panel_a_pct, mean_score_b, mean_score_a
    FROM matches
),

final AS (
    SELECT
        tool_id,
        name,
        other_tool_id,
        other_name,
        page_id,
        address,
        side,
        panel_verdict,
        other_panel_verdict,
        panel_ship_pct,
        other_panel_ship_pct,
        panel_ship_pct - other_panel_ship_pct AS panel_margin_pct,
        CASE
            WHEN panel_ship_pct > other_panel_ship_pct THEN 'won'
            WHEN panel_ship_pct < other_panel_ship_pct THEN 'lost'
            WHEN panel_ship_pct = other_panel_ship_pct THEN 'tied'
        END AS panel_result,
        mean_score,
        other_mean_score,
        mean_score - other_mean_score AS score_margin,
        CASE
            WHEN mean_score > other_mean_score THEN 'won'
            WHEN mean_score < other_mean_score THEN 'lost'
            WHEN mean_score = other_mean_score THEN 'tied'
        END AS score_result
    FROM sides
    ORDER BY tool_id, page_id
)

SELECT * FROM final;

COMMENT ON VIEW tool_matches IS
    'A tool on a page against the other tool: matches from both sides, so that one column finds all matches of a tool.';

COMMENT ON COLUMN tool_matches.tool_id IS 'Tool (tools.tool_id).';
COMMENT ON COLUMN tool_matches.name IS 'Its display name on this page.';
COMMENT ON COLUMN tool_matches.other_tool_id IS 'The other tool on the page (tools.tool_id).';
COMMENT ON COLUMN tool_matches.other_name IS 'Display name of the other on this page.';
COMMENT ON COLUMN tool_matches.page_id IS 'Page (pages.page_id).';
COMMENT ON COLUMN tool_matches.address IS 'Address of the page, which a browser opens. NULL: it has no address.';
COMMENT ON COLUMN tool_matches.side IS 'Side of the tool on the page: a, b.';
COMMENT ON COLUMN tool_matches.panel_verdict IS 'Verdict of the panel on the tool: ship, mixed, skip. NULL: the page has no Decision table.';
COMMENT ON COLUMN tool_matches.other_panel_verdict IS 'Verdict of the panel on the other.';
COMMENT ON COLUMN tool_matches.panel_ship_pct IS 'Share of the panel that would ship the tool, percent. NULL: not stated.';
COMMENT ON COLUMN tool_matches.other_panel_ship_pct IS 'Share of the panel that would ship the other, percent.';
COMMENT ON COLUMN tool_matches.panel_margin_pct IS 'Panel percentage of the tool minus that of the other, points.';
COMMENT ON COLUMN tool_matches.panel_result IS 'Whether the tool has the higher panel percentage: won, lost, tied. NULL: one of them is not stated.';
COMMENT ON COLUMN tool_matches.mean_score IS 'Mean score of all reviews about the tool on any page, 0-100.';
COMMENT ON COLUMN tool_matches.other_mean_score IS 'Mean score of all reviews about the other.';
COMMENT ON COLUMN tool_matches.score_margin IS 'Mean score of the tool minus that of the other, points.';
COMMENT ON COLUMN tool_matches.score_result IS 'Whether the tool has the higher mean score: won, lost, tied. NULL: one of them has no scores.';

-- example: SELECT name, count(*) FILTER (panel_result = 'won') AS won, count(*) AS pages FROM tool_matches GROUP BY name ORDER BY won DESC
