CREATE OR REPLACE VIEW evidence.duplicate_reviews AS
WITH sightings AS (
    SELECT
        review_id,
        count(DISTINCT page_id) AS pages,
        count(DISTINCT text_id) AS wordings,
        count(*) FILTER (WHERE match = 'exact') AS exact_sightings,
        count(*) FILTER (WHERE match = 'near') AS near_sightings,
        count(*) FILTER (WHERE match = 'prefix') AS prefix_sightings,
        min(similarity) AS least_similarity
    FROM appearances
    GROUP BY review_id
),

final AS (
    SELECT
        reviews.review_id,
        reviews.tool_id,
        tools.name,
        reviews.reviewer,
        sightings.pages,
        sightings.wordings,
        sightings.exact_sightings,
        sightings.near_sightings,
        sightings.prefix_sightings,
        sightings.least_similarity,
        reviews.first_seen_at,
        reviews.last_seen_at
    FROM reviews
    INNER JOIN sightings USING (review_id)
    INNER JOIN tools USING (tool_id)
    WHERE sightings.pages > 1
)

SELECT * FROM final;

COMMENT ON VIEW evidence.duplicate_reviews IS
    'A review that several pages show or have shown. reviews has it once.';

COMMENT ON COLUMN evidence.duplicate_reviews.review_id IS 'Review (reviews.review_id).';
COMMENT ON COLUMN evidence.duplicate_reviews.tool_id IS 'Tool it is about (tools.tool_id).';
COMMENT ON COLUMN evidence.duplicate_reviews.name IS 'Display name of the tool.';
COMMENT ON COLUMN evidence.duplicate_reviews.reviewer IS 'Reviewer of the review. NULL: no page shows it.';
COMMENT ON COLUMN evidence.duplicate_reviews.pages IS 'Pages that show it, or did.';
COMMENT ON COLUMN evidence.duplicate_reviews.wordings IS 'Distinct wordings of it.';
COMMENT ON COLUMN evidence.duplicate_reviews.exact_sightings IS 'Appearances with the same words once folded.';
COMMENT ON COLUMN evidence.duplicate_reviews.near_sightings IS 'Appearances with small edits.';
COMMENT ON COLUMN evidence.duplicate_reviews.prefix_sightings IS 'Appearances that are cut short.';
COMMENT ON COLUMN evidence.duplicate_reviews.least_similarity IS 'Similarity of the wording that differs most, 0-1.';
COMMENT ON COLUMN evidence.duplicate_reviews.first_seen_at IS 'When it was first seen anywhere.';
COMMENT ON COLUMN evidence.duplicate_reviews.last_seen_at IS 'When it was last seen anywhere.';
