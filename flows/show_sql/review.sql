-- A review and its tool.
SELECT
    reviews.review_id AS review,
    tools.name        AS tool,
    coalesce(tools.slug, '(no slug seen)') AS slug,
    reviews.seat,
    reviews.score,
    reviews.verdict,
    reviews.attribution || ' (confidence ' || round(reviews.confidence, 2) || ')' AS attribution,
    reviews.appearances,
    reviews.text
FROM reviews
JOIN tools USING (tool_id)
WHERE review_id = :id
