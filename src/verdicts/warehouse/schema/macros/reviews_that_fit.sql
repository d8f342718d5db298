-- The reviews on pages now that fit filters, with the tool of each. A filter of NULL lets all through, and 'none' what has no value.
-- Whether a review fits those that are chosen from a list, its is_* columns say.
CREATE OR REPLACE MACRO reviews_that_fit(words, reviewer, verdict, category, attribution, score_from, score_to, price_from, price_to) AS TABLE
WITH said AS (
    SELECT any_value(indexed.id) AS review_id
    FROM search.terms_of(words) AS terms
    INNER JOIN search.postings USING (term)
    INNER JOIN search.indexed USING (document)
    WHERE indexed.field = 'review'
    GROUP BY postings.document
    HAVING count(DISTINCT terms.asked) = len(list_distinct(search.words_of(words)))
)

SELECT
    reviews.review_id,
    reviews.first_seen_at,
    reviews.score,
    reviews.confidence,
    tools.name,
    coalesce(reviews.reviewer, 'none') AS of_reviewer,
    coalesce(reviews.verdict, 'none') AS of_verdict,
    coalesce(tools.category_group, 'none') AS of_category,
    reviews.attribution AS of_attribution,
    reviewer IS NULL OR of_reviewer = reviewer AS is_reviewer,
    verdict IS NULL OR of_verdict = verdict AS is_verdict,
    category IS NULL OR category IN (tools.category, of_category) AS is_category,
    attribution IS NULL OR of_attribution = attribution AS is_attribution
FROM reviews
INNER JOIN tools USING (tool_id)
WHERE
    reviews.is_shown
    AND (words IS NULL OR reviews.review_id IN (FROM said))
    AND (score_from IS NULL OR reviews.score >= score_from)
    AND (score_to IS NULL OR reviews.score <= score_to)
    AND (price_from IS NULL OR tools.cheapest_monthly >= price_from)
    AND (price_to IS NULL OR tools.cheapest_monthly <= price_to);
