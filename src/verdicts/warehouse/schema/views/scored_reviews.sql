CREATE OR REPLACE VIEW scored_reviews AS
SELECT
    reviews.review_id,
    reviews.tool_id,
    tools.name,
    tools.category,
    tools.category_group,
    reviews.reviewer,
    reviews.score,
    reviews.verdict
FROM reviews
INNER JOIN tools USING (tool_id)
WHERE reviews.is_shown AND reviews.score IS NOT NULL;

COMMENT ON VIEW scored_reviews IS
    'A review that pages show, with a score and the category of its tool: the input of statistics of scores.';

COMMENT ON COLUMN scored_reviews.review_id IS 'Review (reviews.review_id).';
COMMENT ON COLUMN scored_reviews.tool_id IS 'Tool (tools.tool_id).';
COMMENT ON COLUMN scored_reviews.name IS 'Display name as last published.';
COMMENT ON COLUMN scored_reviews.category IS 'Category as last published.';
COMMENT ON COLUMN scored_reviews.category_group IS 'One name for all spellings and synonyms of its category: a suggestion (tools.category_group).';
COMMENT ON COLUMN scored_reviews.reviewer IS 'Reviewer. NULL: no page shows it.';
COMMENT ON COLUMN scored_reviews.score IS 'Reviewer''s score, 0-100.';
COMMENT ON COLUMN scored_reviews.verdict IS 'Reviewer''s verdict: ship, skip. NULL: no page shows it.';

-- example: SELECT category_group, reviewer, avg(score) AS mean_score FROM scored_reviews GROUP BY ALL ORDER BY ALL
