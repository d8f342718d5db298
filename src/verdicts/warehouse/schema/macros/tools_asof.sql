-- A tool at a moment: its card, what pages stated of its panel, its pricing, and the reviews that they showed, with the scores of
-- that moment. Of now it is what tools says.
CREATE OR REPLACE MACRO tools_asof(moment) AS TABLE
WITH instant AS (
    SELECT moment::TIMESTAMPTZ AS at
),

cards AS (
    SELECT tool_history.*
    FROM history.tool_history, instant
    WHERE valid_from <= instant.at AND (valid_to IS NULL OR valid_to > instant.at)
),

stated AS (
    SELECT
        tool_id,
        arg_max(panel_ship_pct, (valid_from, page_id, side)) AS panel_ship_pct,
        arg_max({'panel_verdict': panel_verdict, 'ship': ship_votes, 'skip': skip_votes}, (valid_from, page_id, side))
            FILTER (WHERE panel_verdict IS NOT NULL) AS panel
    FROM history.verdict_history, instant
    WHERE valid_from <= instant.at AND (valid_to IS NULL OR valid_to > instant.at)
    GROUP BY tool_id
),

prices AS (
    SELECT tool_id, pricing
    FROM history.price_history, instant
    WHERE valid_from <= instant.at AND (valid_to IS NULL OR valid_to > instant.at)
),

opinions AS (
    SELECT tool_id, count(*) AS reviews, avg(score) AS mean_score
    FROM history.review_history, instant
    WHERE valid_from <= instant.at AND (valid_to IS NULL OR valid_to > instant.at)
    GROUP BY tool_id
)

SELECT
    cards.tool_id,
    tools.slug,
    cards.name,
    cards.category,
    cards.entry,
    stated.panel_ship_pct,
    stated.panel.panel_verdict,
    stated.panel.ship AS ship_votes,
    stated.panel.skip AS skip_votes,
    prices.pricing,
    coalesce(opinions.reviews, 0) AS reviews,
    opinions.mean_score
FROM cards
INNER JOIN tools USING (tool_id)
LEFT JOIN stated USING (tool_id)
LEFT JOIN prices USING (tool_id)
LEFT JOIN opinions USING (tool_id);
