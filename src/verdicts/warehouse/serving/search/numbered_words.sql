-- Their numbers: forms of one stem are neighbours.
WITH folded AS (
    SELECT language, spelling, strip_accents(spelling) AS word, strip_accents(stem) AS stem
    FROM stemmed
)

SELECT
    row_number() OVER (ORDER BY language, stem, spelling) + (SELECT coalesce(max(term), -1) FROM search.words) AS term,
    language,
    spelling,
    word,
    stem
FROM folded
