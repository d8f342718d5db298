CREATE OR REPLACE VIEW evidence.stated_numbers AS
WITH units AS (
    SELECT *
    FROM (
        VALUES
            ('%|percent', '%', 1),
            ('ms|milliseconds?', 'seconds', 0.001),
            ('seconds?', 'seconds', 1),
            ('minutes?', 'seconds', 60),
            ('hours?', 'seconds', 3600),
            ('tokens?', 'tokens', 1),
            ('languages?', 'languages', 1),
            ('MB', 'GB', 0.001),
            ('GB|gigabytes?', 'GB', 1)
    ) AS declared(words, unit, factor)
),

sentences AS (
    SELECT
        review_id,
        tool_id,
        seat,
        unnest(regexp_extract_all(text, '[^.!?]*(?:[.!?]\d[^.!?]*)*[.!?]*')) AS sentence
    FROM reviews
    WHERE regexp_matches(text, '\d')
),

found AS (
    SELECT
        sentences.review_id,
        sentences.tool_id,
        sentences.seat,
        trim(sentences.sentence) AS sentence,
        units.unit,
        units.factor,
        unnest(
            regexp_extract_all(
                sentences.sentence,
                '(?i)\d[\d,]*(?:\.\d+)?\s?(?:(?:thousand|million|k|m)\b)?\s?(?:' || units.words || ')(?:\W|$)'
            )
        ) AS stated
    FROM sentences
    CROSS JOIN units
    WHERE regexp_matches(sentences.sentence, '\d')
),

final AS (
    SELECT
        review_id,
        tool_id,
        seat,
        unit,
        round(
            replace(regexp_extract(stated, '\d[\d,]*(?:\.\d+)?'), ',', '')::DOUBLE
            * CASE
                WHEN regexp_matches(stated, '(?i)\d\s?(?:thousand|k)\b') THEN 1000
                WHEN regexp_matches(stated, '(?i)\d\s?(?:million|m)\b') THEN 1000000
                ELSE 1
            END
            * factor,
            6
        ) AS number,
        rtrim(stated, ' ,;:.!?)') AS stated,
        sentence
    FROM found
)

SELECT * FROM final;

COMMENT ON VIEW evidence.stated_numbers IS
    'A number in digits with a unit in a take: percent, times (as seconds), tokens, languages, sizes (as GB). The sentence says what the number measures.';

COMMENT ON COLUMN evidence.stated_numbers.review_id IS 'Take (reviews.review_id).';
COMMENT ON COLUMN evidence.stated_numbers.tool_id IS 'Tool the take is about (tools.tool_id).';
COMMENT ON COLUMN evidence.stated_numbers.seat IS 'Seat of the reviewer. NULL: no page shows it.';
COMMENT ON COLUMN evidence.stated_numbers.unit IS '%, seconds, tokens, languages, GB.';
COMMENT ON COLUMN evidence.stated_numbers.number IS 'The number in that unit: 4 minutes are 240 seconds, 40 thousand tokens 40000.';
COMMENT ON COLUMN evidence.stated_numbers.stated IS 'Number and unit as written.';
COMMENT ON COLUMN evidence.stated_numbers.sentence IS 'The sentence with the number.';
