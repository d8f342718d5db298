-- Takes whose text may name another tool than before: those that hold the first word of a name that came or went.
WITH first_words AS (
    SELECT DISTINCT regexp_escape(split_part(lower(name), ' ', 1)) AS word
    FROM touched_renamed_tools
)

SELECT review_id FROM touched_reviews
UNION
SELECT review_id
FROM reviews
WHERE
    (SELECT count(*) FROM first_words) > 0
    AND regexp_matches(lower(text), (SELECT string_agg(word, '|') FROM first_words))
