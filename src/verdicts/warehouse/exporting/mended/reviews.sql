-- Reviews that lost appearances: what the pages left say of them, in their fullest wording. Times stay: they name the file.
WITH shown AS (
    SELECT
        appearances.review_id,
        count(*) AS appearances,
        arg_max(appearances.text, (length(appearances.text), appearances.text)) AS text,
        coalesce(list_sort(list(DISTINCT pages.host) FILTER (pages.host IS NOT NULL)), []) AS hosts,
        min(list_position(['corrected', 'observed', 'matched', 'intersected', 'excluded', 'ordered'], appearances.attribution)) AS strongest
    FROM appearances
    INNER JOIN pages USING (page_id)
    GROUP BY ALL
),

weighed AS (
    SELECT review_id, max(weight) AS weight
    FROM attribution_evidence
    GROUP BY ALL
),

final AS (
    SELECT
        shown.review_id,
        shown.appearances,
        shown.text,
        shown.hosts,
        ['corrected', 'observed', 'matched', 'intersected', 'excluded', 'ordered'][shown.strongest] AS attribution,
        weighed.weight
    FROM shown
    LEFT JOIN weighed USING (review_id)
)

UPDATE reviews
SET
    appearances = final.appearances,
    text = final.text,
    hosts = final.hosts,
    attribution = final.attribution,
    confidence = least(reviews.confidence, coalesce(final.weight, reviews.confidence))
FROM final
WHERE final.review_id = reviews.review_id AND final.appearances <> reviews.appearances
