-- Takes whose text may name another tool than before: those that hold the first word of a name that came or went.
SELECT review_id FROM touched_reviews
UNION
SELECT review_id
FROM reviews
WHERE
    -- A constant when the plan is made: of a subquery's value DuckDB makes the pattern again for every text.
    getvariable('renamed_words') IS NOT NULL
    AND regexp_matches(lower(text), getvariable('renamed_words'))
