CREATE OR REPLACE VIEW switches AS
-- `I moved our commit message hook to it` names no tool. So a name of the corpus must follow directly after `from` or `to`,
-- or after a verb of leaving.
WITH spoken AS (
    SELECT
        review_id,
        tool_id,
        reviewer,
        score,
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
    SELECT lower(name) AS folded, min(name) AS name, count(*) AS tools
    FROM tools
    GROUP BY lower(name)
),

named AS (
    SELECT
        candidates.review_id,
        candidates.tool_id,
        candidates.reviewer,
        candidates.score,
        if(lower(candidates.part.direction) = 'to', 'to', 'from') AS direction,
        names.name AS other_name,
        names.tools AS other_tools,
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
    SELECT
        named.review_id,
        named.tool_id,
        tools.name,
        named.other_name,
        named.other_tools,
        named.direction,
        if(named.direction = 'from', named.other_name, tools.name) AS from_name,
        if(named.direction = 'from', tools.name, named.other_name) AS to_name,
        named.reviewer,
        named.score,
        trim(named.words) AS words
    FROM named
    INNER JOIN tools USING (tool_id)
    WHERE lower(named.other_name) <> lower(tools.name)
)

SELECT * FROM final;

COMMENT ON VIEW switches IS
    'A review that pages show, whose author moved from another tool to this one, or from this one to another: switched from, moved to, migrated from, left, replaced or similar words, directly before the name of a tool of the corpus. Other wordings are missed.';

COMMENT ON COLUMN switches.review_id IS 'Review (reviews.review_id).';
COMMENT ON COLUMN switches.tool_id IS 'Tool the review is about (tools.tool_id).';
COMMENT ON COLUMN switches.name IS 'Its display name.';
COMMENT ON COLUMN switches.other_name IS 'Name of the other tool.';
COMMENT ON COLUMN switches.other_tools IS 'Number of tools of the corpus with that name; case does not count.';
COMMENT ON COLUMN switches.direction IS 'from: the author left the other tool (left and replaced count as from); to: the author moved to it.';
COMMENT ON COLUMN switches.from_name IS 'The tool that the author left.';
COMMENT ON COLUMN switches.to_name IS 'The tool that the author moved to.';
COMMENT ON COLUMN switches.reviewer IS 'Reviewer of the review. NULL: no page shows it.';
COMMENT ON COLUMN switches.score IS 'Score of the review, 0-100. NULL: no page shows it.';
COMMENT ON COLUMN switches.words IS 'The words in the review.';

-- example: SELECT from_name, to_name, words FROM switches ORDER BY from_name LIMIT 5
