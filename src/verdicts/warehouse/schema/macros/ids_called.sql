-- The ids of reviews, tools and pages that begin so. A former id leads to the present one.
CREATE OR REPLACE MACRO ids_called(beginning) AS TABLE
SELECT 'review' AS kind, review_id AS id FROM reviews WHERE starts_with(review_id, beginning)
UNION
SELECT 'review', review_id FROM evidence.review_aliases WHERE starts_with(old_id, beginning)
UNION
SELECT 'tool', tool_id FROM tools WHERE starts_with(tool_id, beginning)
UNION
SELECT 'tool', tool_id FROM evidence.tool_aliases WHERE starts_with(alias_id, beginning)
UNION
SELECT 'page', page_id FROM pages WHERE starts_with(page_id, beginning);
