CREATE OR REPLACE VIEW contested_tools AS
WITH camps AS (
    SELECT
        tool_id,
        count(*) FILTER (WHERE verdict = 'ship') AS ship_takes,
        count(*) FILTER (WHERE verdict = 'skip') AS skip_takes
    FROM reviews
    WHERE is_shown AND verdict IS NOT NULL
    GROUP BY tool_id
),

final AS (
    SELECT
        scorecards.tool_id,
        scorecards.name,
        scorecards.category,
        scorecards.category_group,
        scorecards.panel_ship_pct,
        camps.ship_takes,
        camps.skip_takes,
        coalesce(
            least(scorecards.panel_ship_pct, 100 - scorecards.panel_ship_pct) / 100,
            least(camps.ship_takes, camps.skip_takes) / (camps.ship_takes + camps.skip_takes)
        ) AS split,
        scorecards.lowest_score,
        scorecards.highest_score,
        scorecards.highest_score - scorecards.lowest_score AS score_spread,
        scorecards.highest_seat AS keenest_seat,
        scorecards.lowest_seat AS harshest_seat
    FROM scorecards
    LEFT JOIN camps USING (tool_id)
    WHERE split > 0 OR least(camps.ship_takes, camps.skip_takes) > 0
)

SELECT * FROM final;

COMMENT ON VIEW contested_tools IS
    'A tool on which its panel disagrees: the votes are not unanimous, or one take says ship and another says skip.';

COMMENT ON COLUMN contested_tools.tool_id IS 'Tool (tools.tool_id).';
COMMENT ON COLUMN contested_tools.name IS 'Display name as last published.';
COMMENT ON COLUMN contested_tools.category IS 'Category as last published.';
COMMENT ON COLUMN contested_tools.category_group IS 'One name for all spellings and synonyms of its category: a suggestion (tools.category_group).';
COMMENT ON COLUMN contested_tools.panel_ship_pct IS 'Share of the panel that would ship it, percent, on the page seen last that states it. NULL: no page states it.';
COMMENT ON COLUMN contested_tools.ship_takes IS 'Distinct takes that say ship. Takes without a known verdict count in neither camp. NULL: no verdict of a take is known.';
COMMENT ON COLUMN contested_tools.skip_takes IS 'Distinct takes that say skip. NULL: no verdict of a take is known.';
COMMENT ON COLUMN contested_tools.split IS 'Share of the smaller camp, 0-0.5, of the votes, or of the takes if no page states votes; 0.5 is an even split.';
COMMENT ON COLUMN contested_tools.lowest_score IS 'Lowest score of its takes, 0-100. NULL: no take has a score.';
COMMENT ON COLUMN contested_tools.highest_score IS 'Highest score of its takes, 0-100.';
COMMENT ON COLUMN contested_tools.score_spread IS 'Difference of the highest and the lowest score, points.';
COMMENT ON COLUMN contested_tools.keenest_seat IS 'Seat with the highest score.';
COMMENT ON COLUMN contested_tools.harshest_seat IS 'Seat with the lowest score.';

-- example: SELECT name, split, harshest_seat, keenest_seat FROM contested_tools ORDER BY split DESC LIMIT 5
