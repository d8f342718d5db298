CREATE OR REPLACE VIEW verdict_changes AS
WITH states AS (
    SELECT
        page_id,
        side,
        tool_id,
        valid_from AS changed_at,
        row_number() OVER before AS place,
        lag(verdict) OVER before AS verdict_before,
        verdict AS verdict_after,
        (lag(ship_votes) OVER before, lag(skip_votes) OVER before) IS DISTINCT FROM (ship_votes, skip_votes) AS votes_moved,
        lag(panel_ship_pct) OVER before AS panel_before_pct,
        panel_ship_pct AS panel_after_pct,
        lag(community_pct) OVER before AS community_before_pct,
        community_pct AS community_after_pct,
        lag(community_votes) OVER before IS DISTINCT FROM community_votes AS community_votes_moved,
        lag(pricing) OVER before AS pricing_before,
        pricing AS pricing_after
    FROM history.verdict_history
    WINDOW before AS (PARTITION BY page_id, side ORDER BY valid_from)
),

final AS (
    SELECT
        states.page_id,
        states.side,
        states.tool_id,
        tools.name,
        states.changed_at,
        states.verdict_before IS DISTINCT FROM states.verdict_after AS is_flip,
        list_filter(
            [
                if(states.verdict_before IS DISTINCT FROM states.verdict_after, 'verdict', NULL),
                if(states.votes_moved, 'votes', NULL),
                if(states.panel_before_pct IS DISTINCT FROM states.panel_after_pct, 'panel', NULL),
                if(states.community_before_pct IS DISTINCT FROM states.community_after_pct, 'community', NULL),
                if(states.community_votes_moved, 'community votes', NULL),
                if(states.pricing_before IS DISTINCT FROM states.pricing_after, 'pricing', NULL)
            ],
            lambda part: part IS NOT NULL
        ) AS moved,
        states.verdict_before,
        states.verdict_after,
        states.panel_before_pct,
        states.panel_after_pct,
        states.community_before_pct,
        states.community_after_pct,
        states.pricing_before,
        states.pricing_after
    FROM states
    INNER JOIN tools USING (tool_id)
    WHERE states.place > 1
)

SELECT * FROM final;

COMMENT ON VIEW verdict_changes IS
    'A change of what a page says about one of its tools. The first state of a page is not a change.';

COMMENT ON COLUMN verdict_changes.page_id IS 'Page (pages.page_id).';
COMMENT ON COLUMN verdict_changes.side IS 'Side of the page: a, b.';
COMMENT ON COLUMN verdict_changes.tool_id IS 'Tool on that side (tools.tool_id).';
COMMENT ON COLUMN verdict_changes.name IS 'Display name of the tool as last published.';
COMMENT ON COLUMN verdict_changes.changed_at IS 'When a snapshot first showed the new state.';
COMMENT ON COLUMN verdict_changes.is_flip IS 'True: the verdict itself changed; false: only numbers or the pricing changed.';
COMMENT ON COLUMN verdict_changes.moved IS 'What changed: verdict, votes, panel, community, community votes, pricing.';
COMMENT ON COLUMN verdict_changes.verdict_before IS 'Verdict before: ship, mixed, skip.';
COMMENT ON COLUMN verdict_changes.verdict_after IS 'Verdict after.';
COMMENT ON COLUMN verdict_changes.panel_before_pct IS 'Share of the panel that would ship it before, percent.';
COMMENT ON COLUMN verdict_changes.panel_after_pct IS 'Share of the panel that would ship it after, percent.';
COMMENT ON COLUMN verdict_changes.community_before_pct IS 'Share of the community that would ship it before, percent.';
COMMENT ON COLUMN verdict_changes.community_after_pct IS 'Share of the community that would ship it after, percent.';
COMMENT ON COLUMN verdict_changes.pricing_before IS 'Pricing before, as printed.';
COMMENT ON COLUMN verdict_changes.pricing_after IS 'Pricing after, as printed.';

-- example: SELECT name, verdict_before, verdict_after FROM verdict_changes WHERE is_flip ORDER BY changed_at DESC LIMIT 5
