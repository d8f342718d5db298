CREATE OR REPLACE VIEW evidence.stated_numbers AS
WITH units AS (
    SELECT unnest(words) AS word, unit, factor
    FROM (
        VALUES
            (['%', 'percent'], '%', 1),
            (['ms', 'millisecond', 'milliseconds'], 'seconds', 0.001),
            (['second', 'seconds'], 'seconds', 1),
            (['minute', 'minutes'], 'seconds', 60),
            (['hour', 'hours'], 'seconds', 3600),
            (['token', 'tokens'], 'tokens', 1),
            (['language', 'languages'], 'languages', 1),
            (['mb'], 'GB', 0.001),
            (['gb', 'gigabyte', 'gigabytes'], 'GB', 1)
    ) AS declared(words, unit, factor)
),

sentences AS (
    SELECT
        review_id,
        tool_id,
        reviewer,
        unnest(regexp_extract_all(text, '[^.!?]*(?:[.!?]\d[^.!?]*)*[.!?]*')) AS sentence
    FROM reviews
    WHERE is_shown AND regexp_matches(text, '\d')
),

-- One constant pattern of all units is compiled once; a pattern for each unit took half of a publication.
found AS (
    SELECT
        *,
        unnest(
            regexp_extract_all(
                sentence,
                '(?i)\d[\d,]*(?:\.\d+)?\s?(?:(?:thousand|million|k|m)\b)?\s?(?:%|percent|ms|milliseconds?|seconds?|minutes?|hours?|tokens?|languages?|MB|GB|gigabytes?)(?:\W|$)'
            )
        ) AS stated
    FROM sentences
    WHERE regexp_matches(sentence, '\d')
),

measured AS (
    SELECT
        *,
        lower(regexp_extract(stated, '(?i)^[\d,.]+\s?(?:(?:thousand|million|k|m)\b)?\s?(%|[a-z]+)', 1)) AS word
    FROM found
),

final AS (
    SELECT
        measured.review_id,
        measured.tool_id,
        measured.reviewer,
        units.unit,
        round(
            replace(regexp_extract(stated, '\d[\d,]*(?:\.\d+)?'), ',', '')::DOUBLE
            * CASE
                WHEN regexp_matches(stated, '(?i)\d\s?(?:thousand|k)\b') THEN 1000
                WHEN regexp_matches(stated, '(?i)\d\s?(?:million|m)\b') THEN 1000000
                ELSE 1
            END
            * units.factor,
            6
        ) AS number,
        rtrim(measured.stated, ' ,;:.!?)') AS stated,
        trim(measured.sentence) AS sentence
    FROM measured
    INNER JOIN units USING (word)
)

SELECT * FROM final;

COMMENT ON VIEW evidence.stated_numbers IS
    'A number in digits with a unit in a review that pages show: percent, times (as seconds), tokens, languages, sizes (as GB). The sentence says what the number measures.';

COMMENT ON COLUMN evidence.stated_numbers.review_id IS 'Review (reviews.review_id).';
COMMENT ON COLUMN evidence.stated_numbers.tool_id IS 'Tool the review is about (tools.tool_id).';
COMMENT ON COLUMN evidence.stated_numbers.reviewer IS 'Reviewer of the review. NULL: no page shows it.';
COMMENT ON COLUMN evidence.stated_numbers.unit IS '%, seconds, tokens, languages, GB.';
COMMENT ON COLUMN evidence.stated_numbers.number IS 'The number in that unit: 4 minutes are 240 seconds, 40 thousand tokens 40000.';
COMMENT ON COLUMN evidence.stated_numbers.stated IS 'Number and unit as written.';
COMMENT ON COLUMN evidence.stated_numbers.sentence IS 'The sentence with the number.';
