CREATE OR REPLACE VIEW outside.tool_outside_ratings AS
WITH final AS (
    SELECT
        tools.tool_id,
        tools.name,
        tools.slug,
        tools.product,
        tools.panel_ship_pct,
        tools.panel_verdict,
        tools.mean_score,
        tools.scored_reviews,
        pages.host,
        pages.kind,
        pages.address,
        mentions.page_id,
        mentions.tool_number,
        mentions.name AS outside_name,
        mentions.rating,
        mentions.rating_best,
        CASE WHEN mentions.rating <= mentions.rating_best THEN 100 * mentions.rating / nullif(mentions.rating_best, 0) END
            AS outside_pct,
        mentions.ratings,
        product_candidates.reason,
        pages.last_seen_at
    FROM evidence.product_candidates
    INNER JOIN mentions USING (page_id, tool_number)
    INNER JOIN pages USING (page_id)
    INNER JOIN tools ON product_candidates.tool_id = tools.tool_id
    WHERE product_candidates.decision = 'merged' AND mentions.rating IS NOT NULL AND NOT pages.is_gone
)

SELECT * FROM final;

COMMENT ON VIEW outside.tool_outside_ratings IS
    'What the panel says about a tool, beside the rating on a page of another site; one row for each such page that is not gone. Only tools that are merged (evidence.product_candidates.decision): a name alone is not enough. A rating of all versions is beside each entry of the product.';

COMMENT ON COLUMN outside.tool_outside_ratings.tool_id IS 'Tool (tools.tool_id).';
COMMENT ON COLUMN outside.tool_outside_ratings.name IS 'Display name as last published by the panel.';
COMMENT ON COLUMN outside.tool_outside_ratings.slug IS 'Slug of the tool. NULL: known from text dumps only.';
COMMENT ON COLUMN outside.tool_outside_ratings.product IS 'Product it seems to be a version of (tools.product).';
COMMENT ON COLUMN outside.tool_outside_ratings.panel_ship_pct IS 'Share of the panel that would ship it, percent. NULL: not stated.';
COMMENT ON COLUMN outside.tool_outside_ratings.panel_verdict IS 'Verdict of the panel: ship, mixed, skip. NULL: not stated.';
COMMENT ON COLUMN outside.tool_outside_ratings.mean_score IS 'Mean score of the panel''s reviews, 0-100. NULL: no review has a score.';
COMMENT ON COLUMN outside.tool_outside_ratings.scored_reviews IS 'Reviews behind this mean.';
COMMENT ON COLUMN outside.tool_outside_ratings.host IS 'Host of the other site. NULL: a file without an address.';
COMMENT ON COLUMN outside.tool_outside_ratings.kind IS 'Kind of the page that states the rating (pages.kind).';
COMMENT ON COLUMN outside.tool_outside_ratings.address IS 'Address of the page, which a browser opens. NULL: no address.';
COMMENT ON COLUMN outside.tool_outside_ratings.page_id IS 'The page (pages.page_id).';
COMMENT ON COLUMN outside.tool_outside_ratings.tool_number IS 'Number of the tool on that page (mentions.tool_number).';
COMMENT ON COLUMN outside.tool_outside_ratings.outside_name IS 'Name on that page.';
COMMENT ON COLUMN outside.tool_outside_ratings.rating IS 'Mean rating as stated.';
COMMENT ON COLUMN outside.tool_outside_ratings.rating_best IS 'Best possible rating: as stated, or 5 if schema.org states no scale. NULL: not known.';
COMMENT ON COLUMN outside.tool_outside_ratings.outside_pct IS 'The rating in percent of rating_best: 4.5 of 5 is 90, 1 of 5 is 20. NULL: rating_best is not known, or less than the rating.';
COMMENT ON COLUMN outside.tool_outside_ratings.ratings IS 'Number of ratings or reviews behind it. NULL: not stated exactly.';
COMMENT ON COLUMN outside.tool_outside_ratings.reason IS 'Why it is this tool (evidence.product_candidates.reason).';
COMMENT ON COLUMN outside.tool_outside_ratings.last_seen_at IS 'When the page was last read.';
