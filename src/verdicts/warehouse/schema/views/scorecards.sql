CREATE OR REPLACE VIEW scorecards AS
WITH cards AS (
    SELECT
        tool_cards.tool_id,
        count(DISTINCT tool_cards.page_id) AS pages,
        arg_max(tool_cards.community_pct, (pages.last_seen_at, tool_cards.page_id)) FILTER (WHERE NOT pages.is_gone) AS community_pct
    FROM evidence.tool_cards
    INNER JOIN pages USING (page_id)
    GROUP BY tool_cards.tool_id
),

decisions AS (
    SELECT
        verdicts.tool_id,
        arg_max(verdicts.community_pct, (pages.last_seen_at, verdicts.page_id)) AS community_pct,
        arg_max(verdicts.community_votes, (pages.last_seen_at, verdicts.page_id)) AS community_votes
    FROM verdicts
    INNER JOIN pages USING (page_id)
    WHERE NOT pages.is_gone
    GROUP BY verdicts.tool_id
),

-- The newest statement counts, not the page read last: that may repeat what another page has changed since. Verdict and
-- votes belong together: all three come from one page. scorecards_asof finds them in the same way.
stated AS (
    SELECT
        tool_id,
        arg_max(panel_ship_pct, (valid_from, page_id, side)) AS panel_ship_pct,
        arg_max({'panel_verdict': panel_verdict, 'ship': ship_votes, 'skip': skip_votes}, (valid_from, page_id, side))
            FILTER (WHERE panel_verdict IS NOT NULL) AS panel
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

final AS (
    SELECT
        tools.tool_id,
        tools.host,
        tools.slug,
        tools.name,
        count(*) OVER (PARTITION BY tools.name) > 1 AS is_shared_name,
        tools.category,
        tools.category_group,
        tools.product,
        tools.vendor,
        tools.entry,
        coalesce(cards.pages, 0) AS pages,
        stated.panel_ship_pct,
        stated.panel.panel_verdict,
        stated.panel.ship AS ship_votes,
        stated.panel.skip AS skip_votes,
        coalesce(decisions.community_pct, cards.community_pct) AS community_pct,
        decisions.community_votes,
        coalesce(opinions.reviews, 0) AS reviews,
        coalesce(opinions.scored_reviews, 0) AS scored_reviews,
        opinions.mean_score,
        opinions.lowest_score,
        opinions.lowest_reviewer,
        opinions.highest_score,
        opinions.highest_reviewer,
        opinions.builder_score,
        opinions.skeptic_score,
        opinions.futurist_score,
        opinions.pm_score,
        opinions.founder_score,
        opinions.creator_score,
        opinions.other_reviewers_score
    FROM tools
    LEFT JOIN cards USING (tool_id)
    LEFT JOIN decisions USING (tool_id)
    LEFT JOIN stated USING (tool_id)
    LEFT JOIN opinions USING (tool_id)
)

SELECT * FROM final
ORDER BY tool_id;

COMMENT ON VIEW scorecards IS
    'A tool at a glance: what the panel says about it now, and the scores of the reviews that pages show.';

COMMENT ON COLUMN scorecards.tool_id IS 'Tool (tools.tool_id).';
COMMENT ON COLUMN scorecards.host IS 'Host of the slug. NULL: known from text dumps only.';
COMMENT ON COLUMN scorecards.slug IS 'Slug of the tool. NULL: known from text dumps only.';
COMMENT ON COLUMN scorecards.name IS 'Display name as last published; several tools can share it.';
COMMENT ON COLUMN scorecards.is_shared_name IS 'Whether another tool has the same display name.';
COMMENT ON COLUMN scorecards.category IS 'Category as last published.';
COMMENT ON COLUMN scorecards.category_group IS 'One name for all spellings and synonyms of its category: a suggestion (tools.category_group).';
COMMENT ON COLUMN scorecards.product IS 'Product it seems to be a version of.';
COMMENT ON COLUMN scorecards.vendor IS 'Company that seems to make it (tools.vendor). NULL: not known.';
COMMENT ON COLUMN scorecards.entry IS 'What starting costs: Free, Paid or another word.';
COMMENT ON COLUMN scorecards.pages IS 'Pages that show its card, with those that are gone.';
COMMENT ON COLUMN scorecards.panel_ship_pct IS 'Share of the panel that would ship it, percent: the newest statement of a page that is not gone.';
COMMENT ON COLUMN scorecards.panel_verdict IS 'Verdict of the panel: ship, mixed, skip. The newest statement of a page that is not gone.';
COMMENT ON COLUMN scorecards.ship_votes IS 'Ship votes of the panel on that page.';
COMMENT ON COLUMN scorecards.skip_votes IS 'Skip votes of the panel on that page.';
COMMENT ON COLUMN scorecards.community_pct IS 'Share of the community that would ship it, percent, on the page seen last that states it and is not gone.';
COMMENT ON COLUMN scorecards.community_votes IS 'Community votes on the page seen last that states them and is not gone.';
COMMENT ON COLUMN scorecards.reviews IS 'Distinct reviews about it that pages show. Withdrawn ones do not count.';
COMMENT ON COLUMN scorecards.scored_reviews IS 'How many of them have a score. The means are made of these.';
COMMENT ON COLUMN scorecards.mean_score IS 'Mean score of its reviews, 0-100. NULL: no review has a score.';
COMMENT ON COLUMN scorecards.lowest_score IS 'Lowest score of its reviews, 0-100.';
COMMENT ON COLUMN scorecards.lowest_reviewer IS 'Reviewer that gave it. NULL: no page shows the reviewer, or no review has a score.';
COMMENT ON COLUMN scorecards.highest_score IS 'Highest score of its reviews, 0-100.';
COMMENT ON COLUMN scorecards.highest_reviewer IS 'Reviewer that gave it. NULL: no page shows the reviewer, or no review has a score.';
COMMENT ON COLUMN scorecards.builder_score IS 'Mean score of the Builder reviewer.';
COMMENT ON COLUMN scorecards.skeptic_score IS 'Mean score of the Skeptic reviewer.';
COMMENT ON COLUMN scorecards.futurist_score IS 'Mean score of the Futurist reviewer.';
COMMENT ON COLUMN scorecards.pm_score IS 'Mean score of the PM reviewer.';
COMMENT ON COLUMN scorecards.founder_score IS 'Mean score of the Founder reviewer.';
COMMENT ON COLUMN scorecards.creator_score IS 'Mean score of the Creator reviewer.';
COMMENT ON COLUMN scorecards.other_reviewers_score IS 'Mean score of all other reviewers and of reviews without a reviewer.';

-- example: SELECT name, reviews, mean_score, skeptic_score FROM scorecards ORDER BY skeptic_score NULLS LAST LIMIT 5
