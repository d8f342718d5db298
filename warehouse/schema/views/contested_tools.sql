CREATE OR REPLACE VIEW contested_tools AS
WITH panels AS (
    SELECT
        tool_cards.tool_id,
        arg_max(tool_cards.panel_ship_pct, (pages.last_seen_at, tool_cards.page_id)) AS panel_ship_pct
    FROM evidence.tool_cards
    INNER JOIN pages USING (page_id)
    GROUP BY tool_cards.tool_id
),

camps AS (
    SELECT
        tool_id,
        count(*) FILTER (WHERE verdict = 'ship') AS ship_takes,
        count(*) FILTER (WHERE verdict = 'skip') AS skip_takes,
        min(score) AS lowest_score,
        max(score) AS highest_score,
        arg_max_null(seat, (score, review_id)) FILTER (WHERE score IS NOT NULL) AS keenest_seat,
        arg_min_null(seat, (score, review_id)) FILTER (WHERE score IS NOT NULL) AS harshest_seat
    FROM reviews
    GROUP BY tool_id
),

shares AS (
    SELECT
        tools.tool_id,
        tools.name,
        tools.category,
        tools.category_group,
        panels.panel_ship_pct,
        coalesce(camps.ship_takes, 0) AS ship_takes,
        coalesce(camps.skip_takes, 0) AS skip_takes,
        coalesce(
            panels.panel_ship_pct / 100, camps.ship_takes / nullif(camps.ship_takes + camps.skip_takes, 0)
        ) AS ship_share,
        camps.lowest_score,
        camps.highest_score,
        camps.highest_score - camps.lowest_score AS score_spread,
        camps.keenest_seat,
        camps.harshest_seat
    FROM tools
    LEFT JOIN panels USING (tool_id)
    LEFT JOIN camps USING (tool_id)
),

final AS (
    SELECT
        tool_id,
        name,
        category,
        category_group,
        panel_ship_pct,
        ship_takes,
        skip_takes,
        least(ship_share, 1 - ship_share) AS split,
        lowest_score,
        highest_score,
        score_spread,
        keenest_seat,
        harshest_seat
    FROM shares
    WHERE ship_share > 0 AND ship_share < 1 OR ship_takes > 0 AND skip_takes > 0
)

SELECT * FROM final;

COMMENT ON VIEW contested_tools IS
    'A tool on which its panel disagrees: the votes are not unanimous, or one take says ship and another says skip.';

COMMENT ON COLUMN contested_tools.tool_id IS 'Tool (tools.tool_id).';
COMMENT ON COLUMN contested_tools.name IS 'Display name as last published.';
COMMENT ON COLUMN contested_tools.category IS 'Category as last published.';
COMMENT ON COLUMN contested_tools.category_group IS 'One name for all spellings and synonyms of its category: a suggestion (tools.category_group).';
COMMENT ON COLUMN contested_tools.panel_ship_pct IS 'Share of the panel that would ship it, percent, on the page seen last that states it. NULL: no page states it.';
COMMENT ON COLUMN contested_tools.ship_takes IS 'Distinct takes that say ship. Takes without a known verdict count in neither camp.';
COMMENT ON COLUMN contested_tools.skip_takes IS 'Distinct takes that say skip.';
COMMENT ON COLUMN contested_tools.split IS 'Share of the smaller camp, 0-0.5, of the votes, or of the takes if no page states votes; 0.5 is an even split.';
COMMENT ON COLUMN contested_tools.lowest_score IS 'Lowest score of its takes, 0-100. NULL: no take has a score.';
COMMENT ON COLUMN contested_tools.highest_score IS 'Highest score of its takes, 0-100.';
COMMENT ON COLUMN contested_tools.score_spread IS 'Difference of the highest and the lowest score, points.';
COMMENT ON COLUMN contested_tools.keenest_seat IS 'Seat with the highest score.';
COMMENT ON COLUMN contested_tools.harshest_seat IS 'Seat with the lowest score.';

-- example: SELECT name, split, harshest_seat, keenest_seat FROM contested_tools ORDER BY split DESC LIMIT 5
