-- Every wording on every page, with the place in the raw store it was read from.
SELECT
    coalesce(pages.url, pages.title)    AS seen_on,
    appearances.attribution             AS known_as,
    appearances.match || ' (' || round(appearances.similarity, 3) || ')' AS match,
    appearances.last_seen_at            AS seen_at,
    appearances.segment,
    appearances.segment_offset,
    first_block,
    last_block
FROM appearances
JOIN pages USING (page_id)
WHERE review_id = :id
ORDER BY appearances.first_seen_at, seen_on, appearances.text_id
