-- question: Which reviews on one tool state different numbers with the same unit, and in which words?
-- topic: disagreement
-- parameter: tool: only this tool
-- parameter: times = 1.5: the larger number is at least this many times the smaller one
-- parameter: shared = 1: both sentences have at least this many words of five letters or more in common
-- parameter: limit = 50: at most this many pairs
-- picture: bars name+unit+reviewer+other_reviewer+review_id+other_review_id times
WITH pairs AS (
    SELECT
        one.tool_id,
        one.unit,
        greatest(one.number, other.number) / nullif(least(one.number, other.number), 0) AS times,
        one.reviewer,
        one.stated,
        one.sentence,
        other.reviewer AS other_reviewer,
        other.stated AS other_stated,
        other.sentence AS other_sentence,
        list_sort(
            list_intersect(
                regexp_extract_all(lower(one.sentence), '\pL{5,}'), regexp_extract_all(lower(other.sentence), '\pL{5,}')
            )
        ) AS shared_words,
        one.review_id,
        other.review_id AS other_review_id
    FROM evidence.stated_numbers AS one
    INNER JOIN evidence.stated_numbers AS other
        ON one.tool_id = other.tool_id AND one.unit = other.unit AND one.review_id < other.review_id
    WHERE one.number <> other.number
)

SELECT
    tools.name,
    pairs.unit,
    pairs.times,
    pairs.reviewer,
    pairs.stated,
    pairs.sentence,
    pairs.other_reviewer,
    pairs.other_stated,
    pairs.other_sentence,
    pairs.shared_words,
    pairs.review_id,
    pairs.other_review_id
FROM pairs
INNER JOIN tools USING (tool_id)
WHERE
    ($tool::VARCHAR IS NULL OR tools.tool_id = $tool::VARCHAR)
    AND pairs.times >= $times::DOUBLE
    -- Both have the unit itself.
    AND len(list_filter(pairs.shared_words, lambda word: NOT regexp_matches(word, '^(?:percent|seconds?|minutes?|hours?|milliseconds?|tokens?|languages?|gigabytes?|thousand|million)$')))
    >= $shared::BIGINT
ORDER BY len(pairs.shared_words) DESC, pairs.times DESC, tools.name, pairs.review_id, pairs.other_review_id, pairs.stated, pairs.other_stated
LIMIT $limit::BIGINT
