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
    'Whether a tool can be used without paying, and what says so. The site prints Free as entry wherever its pricing has the word free, No free plan included, and Paid for open source without it: where tiers are known, they decide.';

COMMENT ON COLUMN free_to_start.tool_id IS 'Tool (tools.tool_id).';
COMMENT ON COLUMN free_to_start.name IS 'Display name as last published.';
COMMENT ON COLUMN free_to_start.category IS 'Category as last published.';
COMMENT ON COLUMN free_to_start.category_group IS 'Its category under one name for all spellings and synonyms: a suggestion (tools.category_group).';
COMMENT ON COLUMN free_to_start.entry IS 'Entry as last published: Free, Paid or another word. NULL: never shown.';
COMMENT ON COLUMN free_to_start.has_free_tier IS 'Whether a tier of its newest pricing is free or names a free one (pricing_tiers.is_free). NULL: no pricing was shown.';
COMMENT ON COLUMN free_to_start.is_free IS 'has_free_tier; where no pricing was shown, whether entry is Free. NULL: neither is known.';
COMMENT ON COLUMN free_to_start.evidence IS 'What is_free rests on: tiers and entry (they agree), tiers against entry (the tiers count), tiers, entry. NULL: nothing.';
