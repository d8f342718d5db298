CREATE OR REPLACE VIEW open_source AS
WITH licensed AS (
    SELECT
        tool_id,
        tier_number,
        raw,
        license,
        regexp_matches(license, '^(Apache|MIT$|BSD|[AL]?GPL|MPL|EUPL)') AS is_open,
        regexp_matches(raw, '\bopen[- ]sourced?\b', 'i') AND kind IN ('free', 'open_source') AS is_called_open
    FROM pricing_tiers
),

tiers AS (
    SELECT
        tool_id,
        bool_or(is_open) AS is_open,
        bool_or(is_called_open) AS is_called_open,
        arg_min(license, (is_open IS NOT TRUE, tier_number)) FILTER (license IS NOT NULL) AS license,
        arg_min(raw, (is_open IS NOT TRUE, tier_number)) FILTER (license IS NOT NULL) AS license_words,
        arg_min(raw, tier_number) FILTER (is_called_open) AS called_words
    FROM licensed
    GROUP BY tool_id
),

sentences AS (
    SELECT tool_id, unnest(list_concat([tagline], regexp_split_to_array(description, '[.!?]\s+'))) AS sentence
    FROM tools
),

-- Only a sentence whose subject is the tool: "An open-source editor", "It is open source", "X is a fast open-source editor".
-- Not "works with open-source models", "a rival of open-source editors", "no longer open source".
said AS (
    SELECT tool_id, min(sentence) AS said_words
    FROM sentences
    WHERE
        (
            regexp_matches(sentence, '^(an? |the |free |and |fully |completely )*open[- ]source( \w*[^s\W]\b|\W*$)', 'i')
            OR regexp_matches(sentence, '\bis (an? )?([\w-]+,? ){0,2}open[- ]sourced?( \w*[^s\W]\b|\W*$|[,;:)])', 'i')
            OR regexp_matches(sentence, '\bopen[- ]sourced (under|by|in|on)\b', 'i')
        )
        AND NOT regexp_matches(sentence, '(^is\b|\b(not|no longer|never|isn.t|was|were|unlike|partly|once|until|will)\b).*open[- ]source', 'i')
    GROUP BY tool_id
),

final AS (
    SELECT
        tools.tool_id,
        tools.name,
        tools.category,
        tools.category_group,
        CASE
            WHEN tiers.is_open OR tiers.is_called_open OR said.said_words IS NOT NULL THEN true
            WHEN tiers.license IS NOT NULL THEN false
        END AS is_open_source,
        CASE
            WHEN tiers.is_open THEN 'licence'
            WHEN tiers.is_called_open THEN 'pricing'
            WHEN said.said_words IS NOT NULL THEN 'description'
            WHEN tiers.license IS NOT NULL THEN 'licence'
        END AS evidence,
        CASE evidence
            WHEN 'pricing' THEN tiers.called_words
            WHEN 'description' THEN said.said_words
            ELSE tiers.license_words
        END AS words,
        tiers.license
    FROM tools
    LEFT JOIN tiers USING (tool_id)
    LEFT JOIN said USING (tool_id)
)

SELECT * FROM final;

COMMENT ON VIEW open_source IS
    'Whether a tool is open source, and the words that say so. Open weights under a licence with conditions are not. Most pages say nothing.';

COMMENT ON COLUMN open_source.tool_id IS 'Tool (tools.tool_id).';
COMMENT ON COLUMN open_source.name IS 'Display name as last published.';
COMMENT ON COLUMN open_source.category IS 'Category as last published.';
COMMENT ON COLUMN open_source.category_group IS 'One name for all spellings and synonyms of its category: a suggestion (tools.category_group).';
COMMENT ON COLUMN open_source.is_open_source IS 'False: its pricing names only another licence. NULL: nothing says so.';
COMMENT ON COLUMN open_source.evidence IS 'licence: its pricing names a licence. pricing: a free tier is called open source. description: a sentence of tagline or description says it of the tool. NULL: no evidence.';
COMMENT ON COLUMN open_source.words IS 'The tier or the sentence. NULL: no evidence.';
COMMENT ON COLUMN open_source.license IS 'Licence that its pricing names, an open one first. NULL: not named.';

-- example: SELECT name, license, words FROM open_source WHERE is_open_source ORDER BY name LIMIT 5
