-- States of reviews that lost appearances: words that no page left has give way to those of the pages left. This comes before reviews.
WITH shown AS (
    SELECT
        review_id,
        count(*) AS appearances,
        arg_max(text, (length(text), text)) AS text,
        list(text) AS texts
    FROM appearances
    GROUP BY ALL
),

final AS (
    SELECT shown.*
    FROM shown
    INNER JOIN reviews USING (review_id)
    WHERE shown.appearances <> reviews.appearances
)

UPDATE history.review_history
SET text = final.text
FROM final
WHERE final.review_id = review_history.review_id AND NOT list_contains(final.texts, review_history.text)
