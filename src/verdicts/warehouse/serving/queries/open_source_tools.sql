-- question: Which tools are open source, and which words say so?
-- topic: tools
-- parameter: category: only tools of this category, as published or as grouped
-- parameter: limit = 100: at most this many tools
-- picture: table
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
)

-- Open weights under a licence with conditions are not open source. Most pages say nothing.
SELECT
    tools.name,
    tiers.license,
    CASE WHEN tiers.is_open THEN 'licence' WHEN tiers.is_called_open THEN 'pricing' ELSE 'description' END AS evidence,
    CASE evidence WHEN 'licence' THEN tiers.license_words WHEN 'pricing' THEN tiers.called_words ELSE said.said_words END AS words,
    tools.mean_score,
    tools.scored_reviews,
    tools.panel_ship_pct,
    tools.category_group,
    tools.slug,
    tools.tool_id
FROM tools
LEFT JOIN tiers USING (tool_id)
LEFT JOIN said USING (tool_id)
WHERE
    (tiers.is_open OR tiers.is_called_open OR said.said_words IS NOT NULL)
    AND ($category::VARCHAR IS NULL OR $category::VARCHAR IN (tools.category, tools.category_group))
ORDER BY tools.mean_score DESC NULLS LAST, tools.name, tools.tool_id
LIMIT $limit::BIGINT
