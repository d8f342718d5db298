CREATE OR REPLACE VIEW distinct_outside_reviews AS
WITH shown AS (
    SELECT
        outside_reviews.*,
        documents.host,
        all_outside_tools.name
    FROM outside_reviews
    INNER JOIN documents USING (url)
    LEFT JOIN all_outside_tools
        ON outside_reviews.url = all_outside_tools.url AND outside_reviews.tool_position = all_outside_tools.position
    WHERE outside_reviews.review_id IS NOT NULL
),

final AS (
    SELECT
        review_id,
        arg_min_null(name, (url, position)) AS name,
        arg_min_null(author, (url, position)) AS author,
        arg_min_null(rating, (url, position)) AS rating,
        arg_min_null(rating_best, (url, position)) AS rating_best,
        min(published_on) AS published_on,
        arg_min(text, (url, position)) AS text,
        count(*) AS appearances,
        count(DISTINCT url) AS pages,
        count(DISTINCT host) AS hosts,
        list(DISTINCT url ORDER BY url) AS urls
    FROM shown
    GROUP BY review_id
)

SELECT * FROM final;

COMMENT ON VIEW distinct_outside_reviews IS
    'Reviews of other sites, each once however many pages state it: one author, one rating, one text, of a tool of one name. Words are as on its first page by address.';

COMMENT ON COLUMN distinct_outside_reviews.review_id IS 'Id of the review (outside_reviews.review_id).';
COMMENT ON COLUMN distinct_outside_reviews.name IS 'Name of the tool as that page has it. NULL: it does not say whose the review is.';
COMMENT ON COLUMN distinct_outside_reviews.author IS 'Author as published. NULL: none.';
COMMENT ON COLUMN distinct_outside_reviews.rating IS 'Rating, on the scale that ends at rating_best. NULL: none.';
COMMENT ON COLUMN distinct_outside_reviews.rating_best IS 'The best rating there can be. NULL: not stated.';
COMMENT ON COLUMN distinct_outside_reviews.published_on IS 'Earliest date that a page states, as published. NULL: none.';
COMMENT ON COLUMN distinct_outside_reviews.text IS 'The review, words as published.';
COMMENT ON COLUMN distinct_outside_reviews.appearances IS 'How often pages state it: rows of outside_reviews.';
COMMENT ON COLUMN distinct_outside_reviews.pages IS 'Pages that state it.';
COMMENT ON COLUMN distinct_outside_reviews.hosts IS 'Hosts of these pages; files without an address count as none.';
COMMENT ON COLUMN distinct_outside_reviews.urls IS 'These pages (documents.url), in order.';
