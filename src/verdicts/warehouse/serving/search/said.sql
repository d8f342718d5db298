-- The words of the new texts.
WITH words AS (
    SELECT document, unnest(search.spellings_of(text)) AS spelling
    FROM arrived
)

SELECT document, spelling, count(*) AS occurrences
FROM words
GROUP BY document, spelling
