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
        arg_max({'verdict': verdict, 'ship': ship_votes, 'skip': skip_votes}, (valid_from, page_id, side))
            FILTER (WHERE verdict IS NOT NULL) AS panel
    FROM history.verdict_history
    WHERE valid_to IS NULL
    GROUP BY tool_id
),

takes AS (
    SELECT
        tool_id,
        count(*) AS takes,
        count(score) AS scored_takes,
        avg(score) AS mean_score,
        min(score) AS lowest_score,
        arg_min_null(seat, (score, review_id)) FILTER (WHERE score IS NOT NULL) AS lowest_seat,
        max(score) AS highest_score,
        arg_max_null(seat, (score, review_id)) FILTER (WHERE score IS NOT NULL) AS highest_seat,
        avg(score) FILTER (WHERE seat = 'Builder') AS builder_score,
        avg(score) FILTER (WHERE seat = 'Skeptic') AS skeptic_score,
        avg(score) FILTER (WHERE seat = 'Futurist') AS futurist_score,
        avg(score) FILTER (WHERE seat = 'PM') AS pm_score,
        avg(score) FILTER (WHERE seat = 'Founder') AS founder_score,
        avg(score) FILTER (WHERE seat = 'Creator') AS creator_score,
        avg(score) FILTER (
            WHERE seat IS NULL OR seat NOT IN ('Builder', 'Skeptic', 'Futurist', 'PM', 'Founder', 'Creator')
        ) AS other_seats_score
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
        stated.panel.verdict,
        stated.panel.ship AS ship_votes,
        stated.panel.skip AS skip_votes,
        coalesce(decisions.community_pct, cards.community_pct) AS community_pct,
        decisions.community_votes,
        coalesce(takes.takes, 0) AS takes,
        coalesce(takes.scored_takes, 0) AS scored_takes,
        takes.mean_score,
        takes.lowest_score,
        takes.lowest_seat,
        takes.highest_score,
        takes.highest_seat,
        takes.builder_score,
        takes.skeptic_score,
        takes.futurist_score,
        takes.pm_score,
        takes.founder_score,
        takes.creator_score,
        takes.other_seats_score
    FROM tools
    LEFT JOIN cards USING (tool_id)
    LEFT JOIN decisions USING (tool_id)
    LEFT JOIN stated USING (tool_id)
    LEFT JOIN takes USING (tool_id)
)

SELECT * FROM final
ORDER BY tool_id;

COMMENT ON VIEW scorecards IS
    'A tool at a glance: what the panel says about it now, and the scores of the takes that pages show.';

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
COMMENT ON COLUMN scorecards.verdict IS 'Verdict of the panel: ship, mixed, skip. The newest statement of a page that is not gone.';
COMMENT ON COLUMN scorecards.ship_votes IS 'Ship votes of the panel on that page.';
COMMENT ON COLUMN scorecards.skip_votes IS 'Skip votes of the panel on that page.';
COMMENT ON COLUMN scorecards.community_pct IS 'Share of the community that would ship it, percent, on the page seen last that states it and is not gone.';
COMMENT ON COLUMN scorecards.community_votes IS 'Community votes on the page seen last that states them and is not gone.';
COMMENT ON COLUMN scorecards.takes IS 'Distinct takes about it that pages show. Withdrawn ones do not count.';
COMMENT ON COLUMN scorecards.scored_takes IS 'How many of them have a score. The means are made of these.';
COMMENT ON COLUMN scorecards.mean_score IS 'Mean score of its takes, 0-100. NULL: no take has a score.';
COMMENT ON COLUMN scorecards.lowest_score IS 'Lowest score of its takes, 0-100.';
COMMENT ON COLUMN scorecards.lowest_seat IS 'Seat that gave it. NULL: no page shows the seat, or no take has a score.';
COMMENT ON COLUMN scorecards.highest_score IS 'Highest score of its takes, 0-100.';
COMMENT ON COLUMN scorecards.highest_seat IS 'Seat that gave it. NULL: no page shows the seat, or no take has a score.';
COMMENT ON COLUMN scorecards.builder_score IS 'Mean score of the Builder seat.';
COMMENT ON COLUMN scorecards.skeptic_score IS 'Mean score of the Skeptic seat.';
COMMENT ON COLUMN scorecards.futurist_score IS 'Mean score of the Futurist seat.';
COMMENT ON COLUMN scorecards.pm_score IS 'Mean score of the PM seat.';
COMMENT ON COLUMN scorecards.founder_score IS 'Mean score of the Founder seat.';
COMMENT ON COLUMN scorecards.creator_score IS 'Mean score of the Creator seat.';
COMMENT ON COLUMN scorecards.other_seats_score IS 'Mean score of all other seats and of takes without a seat.';

-- example: SELECT name, takes, mean_score, skeptic_score FROM scorecards ORDER BY skeptic_score NULLS LAST LIMIT 5
