CREATE OR REPLACE VIEW head_to_head AS
WITH sides AS (
    SELECT
        tool_cards.page_id,
        tool_cards.side,
        tool_cards.tool_id,
        tool_cards.name,
        tool_cards.panel_ship_pct,
        tool_cards.entry,
        verdicts.verdict,
        tools.mean_score
    FROM evidence.tool_cards
    LEFT JOIN verdicts USING (page_id, side)
    INNER JOIN tools ON tool_cards.tool_id = tools.tool_id
),

matches AS (
    SELECT
        pages.page_id,
        pages.address,
        first.tool_id AS tool_a,
        second.tool_id AS tool_b,
        first.name AS name_a,
        second.name AS name_b,
        first.verdict AS verdict_a,
        second.verdict AS verdict_b,
        first.panel_ship_pct AS panel_a_pct,
        second.panel_ship_pct AS panel_b_pct,
        first.mean_score AS score_a,
        second.mean_score AS score_b,
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
            WHEN panel_a_pct > panel_b_pct THEN name_a
            WHEN panel_a_pct < panel_b_pct THEN name_b
        END AS panel_winner,
        CASE
            WHEN panel_a_pct > panel_b_pct THEN tool_a
            WHEN panel_a_pct < panel_b_pct THEN tool_b
        END AS panel_winner_id,
        CASE
            WHEN score_a > score_b THEN name_a
            WHEN score_a < score_b THEN name_b
        END AS score_winner,
        CASE
            WHEN score_a > score_b THEN tool_a
            WHEN score_a < score_b THEN tool_b
        END AS score_winner_id,
        panel_a_pct - panel_b_pct AS panel_margin_pct
    FROM matches
)

SELECT * FROM final;

COMMENT ON VIEW head_to_head IS
    'A page as a match: what it says about its two tools, and which one wins. Pages that are gone stay in.';

COMMENT ON COLUMN head_to_head.page_id IS 'Page (pages.page_id).';
COMMENT ON COLUMN head_to_head.address IS 'Address of the page, which a browser opens. NULL: it has no address.';
COMMENT ON COLUMN head_to_head.tool_a IS 'Tool shown first (tools.tool_id).';
COMMENT ON COLUMN head_to_head.tool_b IS 'Tool shown second (tools.tool_id).';
COMMENT ON COLUMN head_to_head.name_a IS 'Display name of the first on this page.';
COMMENT ON COLUMN head_to_head.name_b IS 'Display name of the second on this page.';
COMMENT ON COLUMN head_to_head.verdict_a IS 'Verdict of the panel on the first: ship, mixed, skip. NULL: the page has no Decision table.';
COMMENT ON COLUMN head_to_head.verdict_b IS 'Verdict of the panel on the second.';
COMMENT ON COLUMN head_to_head.panel_a_pct IS 'Share of the panel that would ship the first, percent.';
COMMENT ON COLUMN head_to_head.panel_b_pct IS 'Share of the panel that would ship the second, percent.';
COMMENT ON COLUMN head_to_head.score_a IS 'Mean score of all takes about the first on any page, 0-100.';
COMMENT ON COLUMN head_to_head.score_b IS 'Mean score of all takes about the second.';
COMMENT ON COLUMN head_to_head.entry_a IS 'Entry of the first.';
COMMENT ON COLUMN head_to_head.entry_b IS 'Entry of the second.';
COMMENT ON COLUMN head_to_head.panel_winner IS 'Name of the tool with the higher panel percentage. NULL: a tie (panel_margin_pct is 0), or one of them is not stated.';
COMMENT ON COLUMN head_to_head.panel_winner_id IS 'Its id (tools.tool_id).';
COMMENT ON COLUMN head_to_head.score_winner IS 'Name of the tool with the higher mean score. NULL: a tie, or one of them has no scores.';
COMMENT ON COLUMN head_to_head.score_winner_id IS 'Its id (tools.tool_id).';
COMMENT ON COLUMN head_to_head.panel_margin_pct IS 'Panel percentage of the first minus that of the second, points.';

-- example: SELECT name_a, name_b, panel_winner, panel_margin_pct FROM head_to_head ORDER BY abs(panel_margin_pct) DESC LIMIT 5
