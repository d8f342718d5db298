CREATE OR REPLACE VIEW price_changes AS
WITH states AS (
    SELECT
        tool_id,
        valid_from AS changed_at,
        lag(pricing) OVER (PARTITION BY tool_id ORDER BY valid_from) AS pricing_before,
        pricing AS pricing_after
    FROM history.price_history
),

final AS (
    SELECT states.tool_id, tools.name, tools.category, tools.category_group, states.changed_at, states.pricing_before, states.pricing_after
    FROM states
    INNER JOIN tools USING (tool_id)
    WHERE states.pricing_before <> states.pricing_after
)

SELECT * FROM final;

COMMENT ON VIEW price_changes IS
    'A change of a tool''s pricing: one for each night, however many pages show it. The first pricing of a tool is not a change, nor is one that no page shows any more.';

COMMENT ON COLUMN price_changes.tool_id IS 'Tool (tools.tool_id).';
COMMENT ON COLUMN price_changes.name IS 'Its display name now.';
COMMENT ON COLUMN price_changes.category IS 'Its category now.';
COMMENT ON COLUMN price_changes.category_group IS 'One name for all spellings and synonyms of its category: a suggestion (tools.category_group).';
COMMENT ON COLUMN price_changes.changed_at IS 'When a snapshot first showed the new pricing.';
COMMENT ON COLUMN price_changes.pricing_before IS 'Pricing until then, as published.';
COMMENT ON COLUMN price_changes.pricing_after IS 'Pricing from then on, as published.';

-- example: SELECT name, pricing_before, pricing_after FROM price_changes ORDER BY changed_at DESC LIMIT 5
