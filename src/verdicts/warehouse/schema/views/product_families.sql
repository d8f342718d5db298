CREATE OR REPLACE VIEW evidence.product_families AS
WITH opinions AS (
    SELECT tool_id, sum(score) AS score_sum
    FROM reviews
    WHERE is_shown
    GROUP BY tool_id
),

final AS (
    SELECT
        tools.product,
        count(*) AS tools,
        count(DISTINCT tools.name) AS distinct_names,
        list_sort(list(DISTINCT tools.category) FILTER (WHERE tools.category IS NOT NULL)) AS categories,
        min(tools.panel_ship_pct) AS lowest_panel_pct,
        max(tools.panel_ship_pct) AS highest_panel_pct,
        sum(tools.reviews)::BIGINT AS reviews,
        sum(opinions.score_sum) / nullif(sum(tools.scored_reviews), 0) AS mean_score,
        list(tools.tool_id ORDER BY tools.name, tools.tool_id) AS tool_ids
    FROM tools
    LEFT JOIN opinions USING (tool_id)
    GROUP BY tools.product
    HAVING count(*) > 1
)

SELECT * FROM final;

COMMENT ON VIEW evidence.product_families IS
    'A product with several tools: versions, sizes and editions that seem to belong together. A suggestion, never an identity.';

COMMENT ON COLUMN evidence.product_families.product IS 'Common name of the tools (tools.product).';
COMMENT ON COLUMN evidence.product_families.tools IS 'Tools of the family.';
COMMENT ON COLUMN evidence.product_families.distinct_names IS 'Distinct display names; fewer than tools if several tools share a name.';
COMMENT ON COLUMN evidence.product_families.categories IS 'Their categories, sorted.';
COMMENT ON COLUMN evidence.product_families.lowest_panel_pct IS 'Lowest panel percentage among them, each on the page where it was seen last.';
COMMENT ON COLUMN evidence.product_families.highest_panel_pct IS 'Highest panel percentage among them.';
COMMENT ON COLUMN evidence.product_families.reviews IS 'Distinct reviews about them.';
COMMENT ON COLUMN evidence.product_families.mean_score IS 'Mean score of those reviews, 0-100.';
COMMENT ON COLUMN evidence.product_families.tool_ids IS 'The tools, sorted by name, then id.';
