SELECT outside_reviews.url, outside_reviews.position
FROM outside_reviews
ANTI JOIN documents USING (url)
