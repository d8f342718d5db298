CREATE OR REPLACE VIEW matches AS
WITH sides AS (
    SELECT
        tool_cards.page_id,
        tool_cards.side,
        tool_cards.tool_id,
        tool_cards.name,
        tool_cards.panel_ship_pct,
        tool_cards.entry,
        verdicts.panel_verdict,
        tools.mean_score
    FROM evidence.tool_cards
    LEFT JOIN verdicts USING (page_id, side)
    INNER JOIN tools ON tool_cards.tool_id = tools.tool_id
),

matches AS (
    SELECT
        pages.page_id,
        pages.address,
        first.tool_id AS tool_a_id,
        second.tool_id AS tool_b_id,
        first.name AS tool_a_name,
        second.name AS tool_b_name,
        first.panel_verdict AS panel_verdict_a,
        second.panel_verdict AS panel_verdict_b,
        first.panel_ship_pct AS panel_a_pct,
        second.panel_ship_pct AS panel_b_pct,
        first.mean_score AS mean_score_a,
        second.mean_score AS mean_score_b,
        first.entry AS entry_a,
        second.entry AS entry_b
    FROM pages
    INNER JOIN sides AS first ON pages.page_id = first.page_id AND first.side = 'a'
    INNER JOIN sides AS second ON pages.page_id = second.page_id AND second.side = 'b'
),

final AS (
    SELECT
        *,
        CASE
            WHEN panel_a_pct > panel_b_pct THEN tool_a_name
            WHEN panel_a_pct < panel_b_pct THEN tool_b_name
        END AS panel_winner_name,
        CASE
            WHEN panel_a_pct > panel_b_pct THEN tool_a_id
            WHEN panel_a_pct < panel_b_pct THEN tool_b_id
        END AS panel_winner_id,
        CASE
            WHEN mean_score_a > mean_score_b THEN tool_a_name
            WHEN mean_score_a < mean_score_b THEN tool_b_name
        END AS score_winner_name,
        CASE
            WHEN mean_score_a > mean_score_b THEN tool_a_id
            WHEN mean_score_a < mean_score_b THEN tool_b_id
        END AS score_winner_id,
        panel_a_pct - panel_b_pct AS panel_margin_pct
    FROM matches
)

SELECT * FROM final;

COMMENT ON VIEW matches IS
    'A page as a match: what it says about its two tools, and which one wins. Pages that are gone stay in.';

COMMENT ON COLUMN matches.page_id IS 'Page (pages.page_id).';
COMMENT ON COLUMN matches.address IS 'Address of the page, which a browser opens. NULL: it has no address.';
COMMENT ON COLUMN matches.tool_a_id IS 'Tool shown first (tools.tool_id).';
COMMENT ON COLUMN matches.tool_b_id IS 'Tool shown second (tools.tool_id).';
COMMENT ON COLUMN matches.tool_a_name IS 'Display name of the first on this page.';
COMMENT ON COLUMN matches.tool_b_name IS 'Display name of the second on this page.';
COMMENT ON COLUMN matches.panel_verdict_a IS 'Verdict of the panel on the first: ship, mixed, skip. NULL: the page has no Decision table.';
COMMENT ON COLUMN matches.panel_verdict_b IS 'Verdict of the panel on the second.';
COMMENT ON COLUMN matches.panel_a_pct IS 'Share of the panel that would ship the first, percent.';
COMMENT ON COLUMN matches.panel_b_pct IS 'Share of the panel that would ship the second, percent.';
COMMENT ON COLUMN matches.mean_score_a IS 'Mean score of all reviews about the first on any page, 0-100.';
COMMENT ON COLUMN matches.mean_score_b IS 'Mean score of all reviews about the second.';
COMMENT ON COLUMN matches.entry_a IS 'Entry of the first.';
COMMENT ON COLUMN matches.entry_b IS 'Entry of the second.';
COMMENT ON COLUMN matches.panel_winner_name IS 'Name of the tool with the higher panel percentage. NULL: a tie (panel_margin_pct is 0), or one of them is not stated.';
COMMENT ON COLUMN matches.panel_winner_id IS 'Its id (tools.tool_id).';
COMMENT ON COLUMN matches.score_winner_name IS 'Name of the tool with the higher mean score. NULL: a tie, or one of them has no scores.';
COMMENT ON COLUMN matches.score_winner_id IS 'Its id (tools.tool_id).';
COMMENT ON COLUMN matches.panel_margin_pct IS 'Panel percentage of the first minus that of the second, points.';

-- example: SELECT tool_a_name, tool_b_name, panel_winner_name, panel_margin_pct FROM matches ORDER BY abs(panel_margin_pct) DESC LIMIT 5
