-- question: What do the panel and other pages say about these two tools, side by side?
-- topic: sites
-- parameter: one: the id, slug or name of a panel's tool, or its name on a page (name:NAME for that alone); without it, no tool
-- parameter: other: the tool to compare it with, named in the same way
-- parameter: limit = 200: at most this many lines
-- picture: table
WITH sides AS (
    SELECT 'one' AS side, $one::VARCHAR AS wanted
    UNION ALL
    SELECT 'other', $other::VARCHAR
),

of_panel AS (
    SELECT
        sides.side,
        NULL AS page_id,
        unnest(range(1, 9)) AS place,
        unnest([
            'verdict', 'would ship', 'mean score', 'reviews', 'community', 'lowest monthly price', 'category', 'tagline'
        ]) AS attribute,
        unnest([
            tools.panel_verdict,
            concat_ws(' of ', tools.panel_ship_pct || ' %', tools.ship_votes + tools.skip_votes || ' votes'),
            round(tools.mean_score, 1) || ' of ' || tools.scored_reviews || ' reviews',
            tools.reviews::VARCHAR,
            concat_ws(' of ', tools.community_pct || ' %', tools.community_votes || ' votes'),
            if(tools.cheapest_monthly = 0, 'free', concat_ws(' ', round(tools.cheapest_monthly, 2)::VARCHAR, tools.cheapest_currency)),
            tools.category,
            tools.tagline
        ]) AS value
    FROM sides
    INNER JOIN tools ON sides.wanted = tools.tool_id
    UNION ALL
    SELECT sides.side, NULL, 10, 'score of ' || coalesce(reviews.reviewer, 'an unknown reviewer'), round(avg(reviews.score), 1)::VARCHAR
    FROM sides
    INNER JOIN reviews ON sides.wanted = reviews.tool_id
    WHERE reviews.is_shown AND reviews.score IS NOT NULL
    GROUP BY ALL
),

listed AS (
    SELECT 'one' AS side, *
    FROM mentions_meant(coalesce($one::VARCHAR, ''))
    WHERE NOT is_gone
    UNION ALL
    SELECT 'other', *
    FROM mentions_meant(coalesce($other::VARCHAR, ''))
    WHERE NOT is_gone
),

of_pages AS (
    SELECT
        side,
        page_id,
        unnest(range(20, 25)) AS place,
        unnest(['rank', 'price', 'rating', 'best for', 'description']) AS attribute,
        unnest([rank::VARCHAR, price, concat_ws(' of ', rating::VARCHAR, rating_best::VARCHAR), best_for, description]) AS value
    FROM listed
    UNION ALL
    SELECT listed.side, facts.page_id, 30 + facts.attribute_number, facts.attribute, facts.value
    FROM listed
    INNER JOIN outside.comparison_rows AS facts USING (page_id, tool_number)
    WHERE facts.kind = 'attribute'
),

said AS (
    SELECT * FROM of_panel WHERE value <> ''
    UNION ALL
    SELECT * FROM of_pages WHERE value <> ''
),

final AS (
    SELECT
        page_id,
        attribute,
        min(place) AS place,
        string_agg(DISTINCT value, '; ' ORDER BY value) FILTER (WHERE side = 'one') AS one,
        string_agg(DISTINCT value, '; ' ORDER BY value) FILTER (WHERE side = 'other') AS other
    FROM said
    GROUP BY page_id, attribute
)

SELECT
    CASE WHEN final.page_id IS NULL THEN 'panel' ELSE coalesce(pages.title, pages.url) END AS source,
    final.attribute,
    final.one,
    final.other,
    pages.host,
    final.page_id
FROM final
LEFT JOIN pages USING (page_id)
ORDER BY
    final.page_id IS NOT NULL,
    count(final.one) OVER (PARTITION BY final.page_id) = 0 OR count(final.other) OVER (PARTITION BY final.page_id) = 0,
    pages.host,
    final.page_id,
    final.place,
    final.attribute
LIMIT $limit::BIGINT
