CREATE OR REPLACE VIEW contested_tools AS
WITH camps AS (
    SELECT
        tool_id,
        count(*) FILTER (WHERE verdict = 'ship') AS ship_reviews,
        count(*) FILTER (WHERE verdict = 'skip') AS skip_reviews
    FROM reviews
    WHERE is_shown AND verdict IS NOT NULL
    GROUP BY tool_id
),

final AS (
    SELECT
        tools.tool_id,
        tools.name,
        tools.category,
        tools.category_group,
        tools.panel_ship_pct,
        camps.ship_reviews,
        camps.skip_reviews,
        coalesce(
            least(tools.panel_ship_pct, 100 - tools.panel_ship_pct) / 100,
            least(camps.ship_reviews, camps.skip_reviews) / (camps.ship_reviews + camps.skip_reviews)
        ) AS split,
        tools.lowest_score,
        tools.highest_score,
        tools.highest_score - tools.lowest_score AS score_spread,
        tools.highest_reviewer AS keenest_reviewer,
        tools.lowest_reviewer AS harshest_reviewer
    FROM tools
    LEFT JOIN camps USING (tool_id)
    WHERE split > 0 OR least(camps.ship_reviews, camps.skip_reviews) > 0
)

SELECT * FROM final;

COMMENT ON VIEW contested_tools IS
    'A tool on which its panel disagrees: the votes are not unanimous, or one review says ship and another says skip.';

COMMENT ON COLUMN contested_tools.tool_id IS 'Tool (tools.tool_id).';
COMMENT ON COLUMN contested_tools.name IS 'Display name as last published.';
COMMENT ON COLUMN contested_tools.category IS 'Category as last published.';
COMMENT ON COLUMN contested_tools.category_group IS 'One name for all spellings and synonyms of its category: a suggestion (tools.category_group).';
COMMENT ON COLUMN contested_tools.panel_ship_pct IS 'Share of the panel that would ship it, percent, on the page seen last that states it. NULL: no page states it.';
COMMENT ON COLUMN contested_tools.ship_reviews IS 'Distinct reviews that say ship. Reviews without a known verdict count in neither camp. NULL: no verdict of a review is known.';
COMMENT ON COLUMN contested_tools.skip_reviews IS 'Distinct reviews that say skip. NULL: no verdict of a review is known.';
COMMENT ON COLUMN contested_tools.split IS 'Share of the smaller camp, 0-0.5, of the votes, or of the reviews if no page states votes; 0.5 is an even split.';
COMMENT ON COLUMN contested_tools.lowest_score IS 'Lowest score of its reviews, 0-100. NULL: no review has a score.';
COMMENT ON COLUMN contested_tools.highest_score IS 'Highest score of its reviews, 0-100.';
COMMENT ON COLUMN contested_tools.score_spread IS 'Difference of the highest and the lowest score, points.';
COMMENT ON COLUMN contested_tools.keenest_reviewer IS 'Reviewer with the highest score.';
COMMENT ON COLUMN contested_tools.harshest_reviewer IS 'Reviewer with the lowest score.';

-- example: SELECT name, split, harshest_reviewer, keenest_reviewer FROM contested_tools ORDER BY split DESC LIMIT 5
