-- question: Which tools are open source, and which words say so?
-- topic: tools
-- parameter: category: only tools of this category, as published or as grouped
-- parameter: limit = 100: at most this many tools
-- picture: table
SELECT
    open_source.name,
    open_source.license,
    open_source.evidence,
    open_source.words,
    scorecards.mean_score,
    scorecards.scored_reviews,
    scorecards.panel_ship_pct,
    open_source.category_group,
    scorecards.slug,
    open_source.tool_id
FROM open_source
INNER JOIN scorecards USING (tool_id)
WHERE
    open_source.is_open_source
    AND ($category::VARCHAR IS NULL OR $category::VARCHAR IN (open_source.category, open_source.category_group))
ORDER BY scorecards.mean_score DESC NULLS LAST, open_source.name, open_source.tool_id
LIMIT $limit::BIGINT
