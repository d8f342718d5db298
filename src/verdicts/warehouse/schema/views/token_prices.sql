CREATE OR REPLACE VIEW token_prices AS
WITH read AS (
    SELECT
        pricing_tiers.*,
        regexp_extract(pricing_tiers.unit, '(?i)^(?:([\d.,]*)([KMB]?)\s)?(?:(input|output|cached)\s)?tokens?$', ['count', 'scale', 'direction']) AS part
    FROM pricing_tiers
    WHERE pricing_tiers.amount IS NOT NULL AND pricing_tiers.unit ILIKE '%token%'
),

final AS (
    SELECT
        read.tool_id,
        tools.name,
        tools.category,
        tools.category_group,
        tools.vendor,
        read.plan,
        nullif(lower(read.part.direction), '') AS direction,
        read.amount
        * 1000000
        / (
            coalesce(nullif(replace(read.part.count, ',', ''), '')::DOUBLE, 1)
            * CASE upper(read.part.scale) WHEN 'K' THEN 1000 WHEN 'M' THEN 1000000 WHEN 'B' THEN 1000000000 ELSE 1 END
        ) AS per_million,
        read.currency,
        read.is_from,
        read.raw
    FROM read
    INNER JOIN tools USING (tool_id)
    WHERE regexp_matches(read.unit, '(?i)^(?:[\d.,]*[KMB]?\s)?(?:(?:input|output|cached)\s)?tokens?$')
)

SELECT * FROM final;

COMMENT ON VIEW token_prices IS
    'A tier that is paid by tokens, with its price for a million tokens.';

COMMENT ON COLUMN token_prices.tool_id IS 'Tool (tools.tool_id).';
COMMENT ON COLUMN token_prices.name IS 'Its display name.';
COMMENT ON COLUMN token_prices.category IS 'Category as last published.';
COMMENT ON COLUMN token_prices.category_group IS 'One name for all spellings and synonyms of its category: a suggestion (tools.category_group).';
COMMENT ON COLUMN token_prices.vendor IS 'Company that seems to make it (tools.vendor). NULL: not known.';
COMMENT ON COLUMN token_prices.plan IS 'Name of the plan. NULL: the tier has no name.';
COMMENT ON COLUMN token_prices.direction IS 'Which tokens: input, output, cached. NULL: not stated.';
COMMENT ON COLUMN token_prices.per_million IS 'Price of a million tokens in units of currency.';
COMMENT ON COLUMN token_prices.currency IS 'Currency, ISO 4217.';
COMMENT ON COLUMN token_prices.is_from IS 'Whether it is the lowest of several prices.';
COMMENT ON COLUMN token_prices.raw IS 'The tier as printed.';

-- example: SELECT name, direction, per_million FROM token_prices ORDER BY per_million LIMIT 5
