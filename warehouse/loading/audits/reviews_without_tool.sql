SELECT reviews.review_id, reviews.tool_id
FROM reviews
ANTI JOIN tools USING (tool_id)
