-- question: Which reviews say that someone moved from one tool to another?
-- topic: market
-- parameter: called: only moves from or to a tool of this name
-- parameter: limit = 50: at most this many pairs of tools
-- picture: bars move reviews
WITH spoken AS (
    -- `I moved our commit message hook to it` names no tool. So a name of the corpus must follow directly after `from` or
    -- `to`, or after a verb of leaving. Other wordings are missed.
    SELECT
        review_id,
        tool_id,
        unnest(
            regexp_extract_all(
                text,
                '(?i)(?:[^\s.!?]+\s+){0,2}\b(?:(?:switch(?:ed|ing)?|mov(?:ed|ing)|migrat(?:ed|ing)|chang(?:ed|ing)|came|went back|going back)(?:\s+(?:over|away|our|my|the|whole|entire|team|everything|everyone|back))*\s+(?:from|to)|left|dropped|ditched|abandoned|replaced)\s+(?:[^.!?\n]|\.\d){1,80}'
            )
        ) AS words
    FROM reviews
    WHERE is_shown AND regexp_matches(text, '(?i)\b(?:switch|mov(?:ed|ing)|migrat|chang(?:ed|ing)|came|back|left|dropped|ditched|abandoned|replaced)')
),

parts AS (
    SELECT
        *,
        regexp_extract(
            words, '(?i)^(.*?)\b(from|to|left|dropped|ditched|abandoned|replaced)\s+(?:the\s+)?(.*)$', ['before', 'direction', 'behind']
        ) AS part
    FROM spoken
),

-- The name after this word: the longest name of a tool among its first one to six words.
candidates AS (
    SELECT
        parts.*,
        unnest(range(1, 7)) AS length,
        string_split_regex(part.behind, '\s+') AS tokens
    FROM parts
    WHERE NOT regexp_matches(part.before, '(?i)\b(?:not|never|nobody|cannot|would|could|should|if|to|will|may|might|no)\b|n''t\b')
),

names AS (
    SELECT lower(name) AS folded, min(name) AS name
    FROM tools
    GROUP BY lower(name)
),

named AS (
    SELECT
        candidates.review_id,
        candidates.tool_id,
        if(lower(candidates.part.direction) = 'to', 'to', 'from') AS direction,
        names.name AS other_name,
        candidates.words
    FROM candidates
    INNER JOIN names
        ON names.folded = lower(rtrim(array_to_string(candidates.tokens[1:candidates.length], ' '), ',;:)"'''))
    WHERE candidates.length <= len(candidates.tokens)
    QUALIFY row_number() OVER (
        PARTITION BY candidates.review_id, candidates.words ORDER BY candidates.length DESC
    ) = 1
),

final AS (
    SELECT DISTINCT ON (named.review_id, from_name, to_name)
        named.review_id,
        if(named.direction = 'from', named.other_name, tools.name) AS from_name,
        if(named.direction = 'from', tools.name, named.other_name) AS to_name,
        trim(named.words) AS words
    FROM named
    INNER JOIN tools USING (tool_id)
    WHERE lower(named.other_name) <> lower(tools.name)
    ORDER BY words
)

SELECT
    from_name || ' to ' || to_name AS move,
    count(DISTINCT review_id) AS reviews,
    list(words ORDER BY review_id, words)[1:3] AS words,
    from_name,
    to_name,
    min(review_id) AS review_id
FROM final
WHERE $called::VARCHAR IS NULL OR lower($called::VARCHAR) IN (lower(from_name), lower(to_name))
GROUP BY from_name, to_name
ORDER BY reviews DESC, from_name, to_name
LIMIT $limit::BIGINT
