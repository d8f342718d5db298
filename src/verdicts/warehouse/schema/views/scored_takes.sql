CREATE OR REPLACE VIEW scored_takes AS
SELECT
    reviews.review_id,
    reviews.tool_id,
    tools.name,
    tools.category,
    tools.category_group,
    reviews.seat,
    reviews.score,
    reviews.verdict
FROM reviews
INNER JOIN tools USING (tool_id)
WHERE reviews.is_shown AND reviews.score IS NOT NULL;

COMMENT ON VIEW scored_takes IS
    'A take that pages show, with a score and the category of its tool: the input of statistics of scores.';

COMMENT ON COLUMN scored_takes.review_id IS 'Take (reviews.review_id).';
COMMENT ON COLUMN scored_takes.tool_id IS 'Tool (tools.tool_id).';
COMMENT ON COLUMN scored_takes.name IS 'Display name as last published.';
COMMENT ON COLUMN scored_takes.category IS 'Category as last published.';
COMMENT ON COLUMN scored_takes.category_group IS 'One name for all spellings and synonyms of its category: a suggestion (tools.category_group).';
COMMENT ON COLUMN scored_takes.seat IS 'Reviewer''s seat. NULL: no page shows it.';
COMMENT ON COLUMN scored_takes.score IS 'Reviewer''s score, 0-100.';
COMMENT ON COLUMN scored_takes.verdict IS 'Reviewer''s verdict: ship, skip. NULL: no page shows it.';

-- example: SELECT category_group, seat, avg(score) AS mean_score FROM scored_takes GROUP BY ALL ORDER BY ALL
