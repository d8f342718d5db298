-- A tool at a moment in the past: its card, its last known verdict and pricing, and the takes seen by then.
CREATE OR REPLACE MACRO scorecards_asof(moment) AS TABLE
WITH instant AS (
    SELECT moment::TIMESTAMPTZ AS at
),

cards AS (
    SELECT tool_history.*
    FROM history.tool_history, instant
    WHERE valid_from <= instant.at AND (valid_to IS NULL OR valid_to > instant.at)
),

stated AS (
    SELECT tool_id, verdict, ship_votes, skip_votes, panel_ship_pct
    FROM history.verdict_history, instant
    WHERE valid_from <= instant.at AND (valid_to IS NULL OR valid_to > instant.at)
    QUALIFY row_number() OVER (
        PARTITION BY tool_id ORDER BY verdict IS NULL, valid_from DESC, page_id DESC, side
    ) = 1
),

prices AS (
    SELECT tool_id, pricing
    FROM history.price_history, instant
    WHERE valid_from <= instant.at AND (valid_to IS NULL OR valid_to > instant.at)
),

takes AS (
    SELECT tool_id, count(*) AS takes, avg(score) AS mean_score
    FROM reviews, instant
    WHERE first_seen_at <= instant.at
    GROUP BY tool_id
)

SELECT
    cards.tool_id,
    tools.slug,
    cards.name,
    cards.category,
    cards.entry,
    stated.panel_ship_pct,
    stated.verdict,
    stated.ship_votes,
    stated.skip_votes,
    prices.pricing,
    coalesce(takes.takes, 0) AS takes,
    takes.mean_score
FROM cards
INNER JOIN tools USING (tool_id)
LEFT JOIN stated USING (tool_id)
LEFT JOIN prices USING (tool_id)
LEFT JOIN takes USING (tool_id);
