CREATE OR REPLACE VIEW free_to_start AS
WITH tiers AS (
    SELECT tool_id, bool_or(is_free) AS has_free_tier
    FROM pricing_tiers
    GROUP BY tool_id
),

final AS (
    SELECT
        tools.tool_id,
        tools.name,
        tools.category,
        tools.category_group,
        tools.entry,
        tiers.has_free_tier,
        coalesce(tiers.has_free_tier, tools.entry = 'Free') AS is_free,
        CASE
            WHEN tiers.has_free_tier = (tools.entry = 'Free') THEN 'tiers and entry'
            WHEN tiers.has_free_tier IS NOT NULL AND tools.entry IS NOT NULL THEN 'tiers against entry'
            WHEN tiers.has_free_tier IS NOT NULL THEN 'tiers'
            WHEN tools.entry IS NOT NULL THEN 'entry'
        END AS evidence
    FROM tools
    LEFT JOIN tiers USING (tool_id)
)

SELECT * FROM final;

COMMENT ON VIEW free_to_start IS
    'Whether a tool can be used without paying, and the evidence. The site prints Free as entry if its pricing has the word free, even in No free plan, and Paid for open source without it. So tiers decide if they are known.';

COMMENT ON COLUMN free_to_start.tool_id IS 'Tool (tools.tool_id).';
COMMENT ON COLUMN free_to_start.name IS 'Display name as last published.';
COMMENT ON COLUMN free_to_start.category IS 'Category as last published.';
COMMENT ON COLUMN free_to_start.category_group IS 'One name for all spellings and synonyms of its category: a suggestion (tools.category_group).';
COMMENT ON COLUMN free_to_start.entry IS 'Entry as last published: Free, Paid or another word. NULL: never shown.';
COMMENT ON COLUMN free_to_start.has_free_tier IS 'Whether a tier of its newest pricing is free or names a free tier (pricing_tiers.is_free). NULL: no pricing was shown.';
COMMENT ON COLUMN free_to_start.is_free IS 'has_free_tier; if no pricing was shown, whether entry is Free. NULL: neither is known.';
COMMENT ON COLUMN free_to_start.evidence IS 'Evidence for is_free: tiers and entry (they agree), tiers against entry (the tiers count), tiers, entry. NULL: no evidence.';

-- example: SELECT name, evidence FROM free_to_start WHERE is_free ORDER BY name LIMIT 5
