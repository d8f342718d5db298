-- The tools that fit filters. A filter of NULL lets all through, and 'none' what has no value. Whether a tool fits those
-- that are chosen from a list, its is_* columns say.
CREATE OR REPLACE MACRO tools_that_fit(words, category, verdict, entry, reviewer, attribution, score_from, score_to, price_from, price_to) AS TABLE
WITH telling AS (
    SELECT reviews.tool_id
    FROM reviews
    WHERE
        reviews.is_shown
        AND coalesce(reviewer, attribution) IS NOT NULL
        AND (reviewer IS NULL OR coalesce(reviews.reviewer, 'none') = reviewer)
        AND (attribution IS NULL OR reviews.attribution = attribution)
)

SELECT
    tools.tool_id,
    coalesce(tools.category_group, 'none') AS of_category,
    coalesce(tools.panel_verdict, 'none') AS of_verdict,
    coalesce(tools.entry, 'none') AS of_entry,
    category IS NULL OR category IN (tools.category, of_category) AS is_category,
    verdict IS NULL OR of_verdict = verdict AS is_verdict,
    entry IS NULL OR of_entry = entry AS is_entry
FROM tools
WHERE
    (words IS NULL OR contains(lower(tools.name), lower(words)) OR contains(tools.slug, lower(words)))
    AND (score_from IS NULL OR tools.mean_score >= score_from)
    AND (score_to IS NULL OR tools.mean_score <= score_to)
    AND (price_from IS NULL OR tools.cheapest_monthly >= price_from)
    AND (price_to IS NULL OR tools.cheapest_monthly <= price_to)
    AND (coalesce(reviewer, attribution) IS NULL OR tools.tool_id IN (FROM telling));
