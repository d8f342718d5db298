CREATE OR REPLACE VIEW verdict_changes AS
WITH states AS (
    SELECT
        page_id,
        side,
        tool_id,
        valid_from AS changed_at,
        row_number() OVER before AS place,
        lag(panel_verdict) OVER before AS panel_verdict_before,
        panel_verdict AS panel_verdict_after,
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

changes AS (
    SELECT
        tool_id,
        page_id,
        side,
        changed_at,
        date_trunc('day', changed_at) AS night,
        panel_verdict_before IS DISTINCT FROM panel_verdict_after AS is_flip,
        list_filter(
            [
                if(panel_verdict_before IS DISTINCT FROM panel_verdict_after, 'verdict', NULL),
                if(votes_moved, 'votes', NULL),
                if(panel_before_pct IS DISTINCT FROM panel_after_pct, 'panel', NULL),
                if(community_before_pct IS DISTINCT FROM community_after_pct, 'community', NULL),
                if(community_votes_moved, 'community votes', NULL),
                if(pricing_before IS DISTINCT FROM pricing_after, 'pricing', NULL)
            ],
            lambda part: part IS NOT NULL
        ) AS moved,
        panel_verdict_before,
        panel_verdict_after,
        panel_before_pct,
        panel_after_pct,
        community_before_pct,
        community_after_pct,
        pricing_before,
        pricing_after
    FROM states
    WHERE place > 1
),

-- The page that changed most tells the change of a night.
final AS (
    SELECT
        changes.tool_id,
        tools.name,
        min(changes.changed_at) OVER of_night AS changed_at,
        changes.is_flip,
        changes.moved,
        changes.panel_verdict_before,
        changes.panel_verdict_after,
        changes.panel_before_pct,
        changes.panel_after_pct,
        changes.community_before_pct,
        changes.community_after_pct,
        changes.pricing_before,
        changes.pricing_after,
        if(changes.is_flip, count_if(changes.is_flip) OVER of_night, count(*) OVER of_night)::BIGINT AS pages,
        changes.page_id,
        changes.side
    FROM changes
    INNER JOIN tools USING (tool_id)
    WHERE len(changes.moved) > 0
    WINDOW of_night AS (PARTITION BY changes.tool_id, changes.night)
    QUALIFY row_number() OVER (
        PARTITION BY changes.tool_id, changes.night
        ORDER BY changes.is_flip DESC, len(changes.moved) DESC, changes.changed_at, changes.page_id, changes.side
    ) = 1
)

SELECT * FROM final;

COMMENT ON VIEW verdict_changes IS
    'A change of what pages say about a tool: one for each night, however many pages show it. The first state of a page is not a change.';

COMMENT ON COLUMN verdict_changes.page_id IS 'The page that changed most; the first one of several (pages.page_id).';
COMMENT ON COLUMN verdict_changes.side IS 'Side of the tool on that page: a, b.';
COMMENT ON COLUMN verdict_changes.pages IS 'Pages on which the verdict changed that night, or anything else where none did.';
COMMENT ON COLUMN verdict_changes.tool_id IS 'Tool (tools.tool_id).';
COMMENT ON COLUMN verdict_changes.name IS 'Display name of the tool as last published.';
COMMENT ON COLUMN verdict_changes.changed_at IS 'When a snapshot first showed a new state that night.';
COMMENT ON COLUMN verdict_changes.is_flip IS 'True: the verdict itself changed; false: only numbers or the pricing changed.';
COMMENT ON COLUMN verdict_changes.moved IS 'What changed: panel_verdict, votes, panel, community, community votes, pricing.';
COMMENT ON COLUMN verdict_changes.panel_verdict_before IS 'Verdict before: ship, mixed, skip.';
COMMENT ON COLUMN verdict_changes.panel_verdict_after IS 'Verdict after.';
COMMENT ON COLUMN verdict_changes.panel_before_pct IS 'Share of the panel that would ship it before, percent.';
COMMENT ON COLUMN verdict_changes.panel_after_pct IS 'Share of the panel that would ship it after, percent.';
COMMENT ON COLUMN verdict_changes.community_before_pct IS 'Share of the community that would ship it before, percent.';
COMMENT ON COLUMN verdict_changes.community_after_pct IS 'Share of the community that would ship it after, percent.';
COMMENT ON COLUMN verdict_changes.pricing_before IS 'Pricing before, as printed.';
COMMENT ON COLUMN verdict_changes.pricing_after IS 'Pricing after, as printed.';

-- example: SELECT name, panel_verdict_before, panel_verdict_after FROM verdict_changes WHERE is_flip ORDER BY changed_at DESC LIMIT 5
