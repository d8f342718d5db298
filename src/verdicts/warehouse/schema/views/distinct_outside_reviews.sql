CREATE OR REPLACE VIEW outside.distinct_outside_reviews AS
WITH shown AS (
    SELECT
        outside_reviews.*,
        pages.url,
        pages.host,
        mentions.name
    FROM outside.outside_reviews
    INNER JOIN pages USING (page_id)
    LEFT JOIN mentions USING (page_id, tool_number)
    WHERE outside_reviews.review_id IS NOT NULL
),

final AS (
    SELECT
        review_id,
        arg_min_null(name, (url, review_number)) AS name,
        arg_min_null(author, (url, review_number)) AS author,
        arg_min_null(rating, (url, review_number)) AS rating,
        arg_min_null(rating_best, (url, review_number)) AS rating_best,
        min(published_date) AS published_date,
        arg_min(text, (url, review_number)) AS text,
        count(*) AS appearances,
        count(DISTINCT url) AS pages,
        count(DISTINCT host) AS hosts,
        list(DISTINCT url ORDER BY url) AS urls
    FROM shown
    GROUP BY review_id
)

SELECT * FROM final;

COMMENT ON VIEW outside.distinct_outside_reviews IS
    'A review of another site, once, even if many pages repeat it: the same author, rating, text and tool name. Words are as on its first page by address.';

COMMENT ON COLUMN outside.distinct_outside_reviews.review_id IS 'Id of the review (outside.outside_reviews.review_id).';
COMMENT ON COLUMN outside.distinct_outside_reviews.name IS 'Name of the tool on that page. NULL: the page does not name it.';
COMMENT ON COLUMN outside.distinct_outside_reviews.author IS 'Author as published. NULL: not stated.';
COMMENT ON COLUMN outside.distinct_outside_reviews.rating IS 'Rating, on a scale up to rating_best. NULL: not stated.';
COMMENT ON COLUMN outside.distinct_outside_reviews.rating_best IS 'Best possible rating. NULL: not stated.';
COMMENT ON COLUMN outside.distinct_outside_reviews.published_date IS 'Earliest date that a page states, as published. NULL: not stated.';
COMMENT ON COLUMN outside.distinct_outside_reviews.text IS 'The review as published.';
COMMENT ON COLUMN outside.distinct_outside_reviews.appearances IS 'How often pages state it: its rows in outside_reviews.';
COMMENT ON COLUMN outside.distinct_outside_reviews.pages IS 'Pages that state it.';
COMMENT ON COLUMN outside.distinct_outside_reviews.hosts IS 'Hosts of these pages. Files without an address do not count.';
COMMENT ON COLUMN outside.distinct_outside_reviews.urls IS 'These pages (pages.url), in order.';
