CREATE OR REPLACE VIEW matches AS
WITH sides AS (
    SELECT
        tool_cards.page_id,
        tool_cards.side,
        tool_cards.tool_id,
        tool_cards.name,
        tool_cards.panel_ship_pct,
        verdicts.panel_verdict,
        tools.mean_score,
        tools.scored_reviews
    FROM evidence.tool_cards
    LEFT JOIN verdicts USING (page_id, side)
    INNER JOIN tools ON tool_cards.tool_id = tools.tool_id
),

final AS (
    SELECT
        this.tool_id,
        this.name,
        other.tool_id AS other_tool_id,
        other.name AS other_name,
        this.page_id,
        pages.address,
        this.side,
        this.panel_verdict,
        other.panel_verdict AS other_panel_verdict,
        this.panel_ship_pct,
        other.panel_ship_pct AS other_panel_ship_pct,
        this.panel_ship_pct - other.panel_ship_pct AS panel_margin_pct,
        CASE sign(panel_margin_pct) WHEN 1 THEN 'won' WHEN -1 THEN 'lost' WHEN 0 THEN 'tied' END AS panel_result,
        this.mean_score,
        this.scored_reviews,
        other.mean_score AS other_mean_score,
        other.scored_reviews AS other_scored_reviews,
        this.mean_score - other.mean_score AS score_margin,
        CASE sign(score_margin) WHEN 1 THEN 'won' WHEN -1 THEN 'lost' WHEN 0 THEN 'tied' END AS score_result
    FROM sides AS this
    INNER JOIN sides AS other ON this.page_id = other.page_id AND this.side <> other.side
    INNER JOIN pages ON this.page_id = pages.page_id
    ORDER BY this.tool_id, this.page_id
)

SELECT * FROM final;

COMMENT ON VIEW matches IS
    'A page as a match, seen from each of its two tools: this tool against the other, and which one wins. One column finds all matches of a tool; side = ''a'' gives each page once. Pages that are gone stay in.';

COMMENT ON COLUMN matches.tool_id IS 'Tool (tools.tool_id).';
COMMENT ON COLUMN matches.name IS 'Its display name on this page.';
COMMENT ON COLUMN matches.other_tool_id IS 'The other tool on the page (tools.tool_id).';
COMMENT ON COLUMN matches.other_name IS 'Display name of the other on this page.';
COMMENT ON COLUMN matches.page_id IS 'Page (pages.page_id).';
COMMENT ON COLUMN matches.address IS 'Address of the page, which a browser opens. NULL: it has no address.';
COMMENT ON COLUMN matches.side IS 'Side of the tool on the page: a, b.';
COMMENT ON COLUMN matches.panel_verdict IS 'Verdict of the panel on the tool: ship, mixed, skip. NULL: the page has no Decision table.';
COMMENT ON COLUMN matches.other_panel_verdict IS 'Verdict of the panel on the other.';
COMMENT ON COLUMN matches.panel_ship_pct IS 'Share of the panel that would ship the tool, percent. NULL: not stated.';
COMMENT ON COLUMN matches.other_panel_ship_pct IS 'Share of the panel that would ship the other, percent.';
COMMENT ON COLUMN matches.panel_margin_pct IS 'Panel percentage of the tool minus that of the other, points.';
COMMENT ON COLUMN matches.panel_result IS 'Whether the tool has the higher panel percentage: won, lost, tied. NULL: one of them is not stated.';
COMMENT ON COLUMN matches.mean_score IS 'Mean score of all reviews about the tool on any page, 0-100.';
COMMENT ON COLUMN matches.scored_reviews IS 'Reviews behind this mean.';
COMMENT ON COLUMN matches.other_mean_score IS 'Mean score of all reviews about the other.';
COMMENT ON COLUMN matches.other_scored_reviews IS 'Reviews behind that mean.';
COMMENT ON COLUMN matches.score_margin IS 'Mean score of the tool minus that of the other, points.';
COMMENT ON COLUMN matches.score_result IS 'Whether the tool has the higher mean score: won, lost, tied. NULL: one of them has no scores.';

-- example: SELECT name, count(*) FILTER (panel_result = 'won') AS won, count(*) AS pages FROM matches GROUP BY name ORDER BY won DESC
