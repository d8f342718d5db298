CREATE OR REPLACE VIEW outside.tool_outside_ratings AS
WITH rated AS (
    SELECT
        product_candidates.tool_id,
        documents.host,
        documents.url,
        documents.address,
        documents.claim,
        documents.last_seen_at,
        all_outside_tools.tool_number,
        all_outside_tools.name,
        all_outside_tools.rating,
        all_outside_tools.ratings,
        product_candidates.reason,
        -- Without a stated scale, only schema.org defines one.
        coalesce(all_outside_tools.rating_best, CASE WHEN documents.reader = 'schema_org' THEN 5 END) AS rating_best
    FROM evidence.product_candidates
    INNER JOIN outside.all_outside_tools USING (url, tool_number)
    INNER JOIN outside.documents USING (url)
    WHERE product_candidates.decision = 'merged' AND all_outside_tools.rating IS NOT NULL
),

final AS (
    SELECT
        scorecards.tool_id,
        scorecards.name,
        scorecards.slug,
        scorecards.product,
        scorecards.panel_ship_pct,
        scorecards.panel_verdict,
        scorecards.mean_score,
        rated.host,
        rated.url,
        rated.address,
        rated.tool_number,
        rated.name AS outside_name,
        rated.claim,
        rated.rating,
        rated.rating_best,
        CASE WHEN rated.rating <= rated.rating_best THEN 100 * rated.rating / nullif(rated.rating_best, 0) END AS outside_pct,
        rated.ratings,
        rated.reason,
        rated.last_seen_at
    FROM rated
    INNER JOIN scorecards USING (tool_id)
)

SELECT * FROM final;

COMMENT ON VIEW outside.tool_outside_ratings IS
    'What the panel says about a tool, beside the rating on a page of another site; one row for each such page. Only tools that are merged (evidence.product_candidates.decision): a name alone is not enough. A rating of all versions is beside each entry of the product.';

COMMENT ON COLUMN outside.tool_outside_ratings.tool_id IS 'Tool (tools.tool_id).';
COMMENT ON COLUMN outside.tool_outside_ratings.name IS 'Display name as last published by the panel.';
COMMENT ON COLUMN outside.tool_outside_ratings.slug IS 'Slug of the tool. NULL: known from text dumps only.';
COMMENT ON COLUMN outside.tool_outside_ratings.product IS 'Product it seems to be a version of (tools.product).';
COMMENT ON COLUMN outside.tool_outside_ratings.panel_ship_pct IS 'Share of the panel that would ship it, percent. NULL: not stated.';
COMMENT ON COLUMN outside.tool_outside_ratings.panel_verdict IS 'Verdict of the panel: ship, mixed, skip. NULL: not stated.';
COMMENT ON COLUMN outside.tool_outside_ratings.mean_score IS 'Mean score of the panel''s reviews, 0-100. NULL: no review has a score.';
COMMENT ON COLUMN outside.tool_outside_ratings.host IS 'Host of the other site. NULL: a file without an address.';
COMMENT ON COLUMN outside.tool_outside_ratings.url IS 'Page that states the rating (outside.documents.url).';
COMMENT ON COLUMN outside.tool_outside_ratings.address IS 'Address of that page, which a browser opens. NULL: no address.';
COMMENT ON COLUMN outside.tool_outside_ratings.tool_number IS 'Number of the tool on that page (outside.all_outside_tools.tool_number).';
COMMENT ON COLUMN outside.tool_outside_ratings.outside_name IS 'Name on that page.';
COMMENT ON COLUMN outside.tool_outside_ratings.claim IS 'What the page does with its tools: compares, describes.';
COMMENT ON COLUMN outside.tool_outside_ratings.rating IS 'Mean rating as stated.';
COMMENT ON COLUMN outside.tool_outside_ratings.rating_best IS 'Best possible rating: as stated, or 5 if schema.org states no scale. NULL: not known.';
COMMENT ON COLUMN outside.tool_outside_ratings.outside_pct IS 'The rating in percent of rating_best: 4.5 of 5 is 90, 1 of 5 is 20. NULL: rating_best is not known, or less than the rating.';
COMMENT ON COLUMN outside.tool_outside_ratings.ratings IS 'Number of ratings or reviews behind it. NULL: not stated exactly.';
COMMENT ON COLUMN outside.tool_outside_ratings.reason IS 'Why it is this tool (evidence.product_candidates.reason).';
COMMENT ON COLUMN outside.tool_outside_ratings.last_seen_at IS 'When the page was last read.';
