SELECT appearances.page_id, appearances.text_id, appearances.review_id
FROM appearances
ANTI JOIN reviews USING (review_id)
