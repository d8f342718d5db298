-- A review and its tool.
SELECT
    reviews.review_id AS review,
    tools.name        AS tool,
    coalesce(tools.slug, '(no slug seen)') AS slug,
    reviews.seat
        || CASE reviews.seat_source WHEN 'row_order' THEN ' (from the rows it stands between)' ELSE '' END AS seat,
    reviews.score,
    reviews.verdict,
    reviews.attribution || ' (confidence ' || round(reviews.confidence, 3) || ')' AS attribution,
    reviews.appearances,
    array_to_string(reviews.hosts, ', ') AS hosts,
    reviews.text
FROM reviews
JOIN tools USING (tool_id)
WHERE review_id = :id
