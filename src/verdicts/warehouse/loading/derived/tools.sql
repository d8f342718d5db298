-- The columns of a tool that other rows decide, so that nobody needs a join for them.
-- Its product is the name of its group, else its own name. If two products have the same name, a slug is added.
WITH own AS (
    SELECT
        tools.tool_id,
        coalesce(products.product_id, tools.tool_id) AS product_id,
        coalesce(products.name, tools.name) AS name,
        lower(nfc_normalize(coalesce(products.name, tools.name))) AS folded
    FROM tools
    LEFT JOIN evidence.products USING (tool_id)
),

uses AS (
    SELECT folded, count(DISTINCT product_id) AS products
    FROM own
    GROUP BY ALL
),

named AS (
    SELECT
        own.tool_id,
        CASE
            WHEN uses.products = 1 THEN own.name
            ELSE own.name || ' (' || coalesce(heads.slug, left(own.product_id, 8)) || ')'
        END AS product
    FROM own
    INNER JOIN uses ON uses.folded = own.folded
    INNER JOIN tools AS heads ON heads.tool_id = own.product_id
),

cards AS (
    SELECT
        tool_cards.tool_id,
        count(DISTINCT tool_cards.page_id) AS pages,
        arg_max(tool_cards.community_pct, (pages.first_seen_at, tool_cards.page_id)) FILTER (WHERE NOT pages.is_gone) AS community_pct
    FROM evidence.tool_cards
    INNER JOIN pages USING (page_id)
    GROUP BY tool_cards.tool_id
),

-- The newest statement counts, not the page read last: that may repeat what another page has changed since, and a visit
-- alone would change the row. Verdict and votes belong together: they come from one page. tools_asof finds them in the same way.
stated AS (
    SELECT
        tool_id,
        arg_max(panel_ship_pct, (valid_from, page_id, side)) AS panel_ship_pct,
        arg_max({'panel_verdict': panel_verdict, 'ship': ship_votes, 'skip': skip_votes}, (valid_from, page_id, side))
            FILTER (WHERE panel_verdict IS NOT NULL) AS panel,
        arg_max({'pct': community_pct, 'votes': community_votes}, (valid_from, page_id, side))
            FILTER (WHERE coalesce(community_pct, community_votes) IS NOT NULL) AS community
    FROM history.verdict_history
    WHERE valid_to IS NULL
    GROUP BY tool_id
),

opinions AS (
    SELECT
        tool_id,
        count(*) AS reviews,
        count(score) AS scored_reviews,
        avg(score) AS mean_score,
        min(score) AS lowest_score,
        arg_min_null(reviewer, (score, review_id)) FILTER (WHERE score IS NOT NULL) AS lowest_reviewer,
        max(score) AS highest_score,
        arg_max_null(reviewer, (score, review_id)) FILTER (WHERE score IS NOT NULL) AS highest_reviewer,
        avg(score) FILTER (WHERE reviewer = 'Builder') AS builder_score,
        avg(score) FILTER (WHERE reviewer = 'Skeptic') AS skeptic_score,
        avg(score) FILTER (WHERE reviewer = 'Futurist') AS futurist_score,
        avg(score) FILTER (WHERE reviewer = 'PM') AS pm_score,
        avg(score) FILTER (WHERE reviewer = 'Founder') AS founder_score,
        avg(score) FILTER (WHERE reviewer = 'Creator') AS creator_score,
        avg(score) FILTER (
            WHERE reviewer IS NULL OR reviewer NOT IN ('Builder', 'Skeptic', 'Futurist', 'PM', 'Founder', 'Creator')
        ) AS other_reviewers_score
    FROM reviews
    WHERE is_shown
    GROUP BY tool_id
),

tiers AS (
    SELECT tool_id, bool_or(is_free) AS has_free_tier
    FROM pricing_tiers
    GROUP BY tool_id
),

cheapest AS (
    -- Amounts of different currencies are not compared: US dollars if the tool has a price in them.
    SELECT tool_id, monthly_amount, currency
    FROM price_ladder
    WHERE monthly_amount IS NOT NULL
    QUALIFY row_number() OVER (
        PARTITION BY tool_id ORDER BY currency IS DISTINCT FROM 'USD', currency, monthly_amount, tier_number
    ) = 1
)

SELECT
    tools.tool_id,
    named.product,
    count(*) OVER (PARTITION BY tools.name) > 1 AS is_shared_name,
    coalesce(cards.pages, 0) AS pages,
    stated.panel_ship_pct,
    stated.panel.panel_verdict,
    stated.panel.ship AS ship_votes,
    stated.panel.skip AS skip_votes,
    CASE WHEN stated.community IS NULL THEN cards.community_pct ELSE stated.community.pct END AS community_pct,
    stated.community.votes AS community_votes,
    opinions.* EXCLUDE (tool_id, reviews, scored_reviews),
    coalesce(opinions.reviews, 0) AS reviews,
    coalesce(opinions.scored_reviews, 0) AS scored_reviews,
    -- The site prints Free if the pricing has that word, even in No free plan, and Paid for open source: tiers come first.
    coalesce(tiers.has_free_tier, tools.entry = 'Free') AS is_free,
    CASE WHEN tiers.has_free_tier THEN 0 ELSE cheapest.monthly_amount END AS cheapest_monthly,
    CASE WHEN tiers.has_free_tier IS NOT TRUE THEN cheapest.currency END AS cheapest_currency
FROM tools
INNER JOIN named USING (tool_id)
LEFT JOIN cards USING (tool_id)
LEFT JOIN stated USING (tool_id)
LEFT JOIN opinions USING (tool_id)
LEFT JOIN tiers USING (tool_id)
LEFT JOIN cheapest USING (tool_id)
