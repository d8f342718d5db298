-- question: On which pages is this review, in which words, and where in the raw store is each?
-- topic: reviews
-- parameter: review: its id or the beginning of it; without it, of every review
-- parameter: limit = 30: at most this many pages
-- picture: table
SELECT
    pages.title,
    pages.address,
    appearances.match,
    appearances.similarity,
    appearances.attribution,
    appearances.first_seen_at,
    appearances.last_seen_at,
    appearances.text,
    appearances.segment,
    appearances.segment_offset,
    appearances.first_block,
    appearances.last_block,
    appearances.review_id,
    appearances.page_id
FROM appearances
INNER JOIN pages USING (page_id)
WHERE ($review::VARCHAR IS NULL OR appearances.review_id = $review::VARCHAR)
ORDER BY appearances.review_id, appearances.first_seen_at, coalesce(pages.url, pages.title), appearances.page_id, appearances.text_id
LIMIT $limit::BIGINT
