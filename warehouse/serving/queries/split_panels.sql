-- question: Which tools split the panel?
-- parameter: category: only tools of this category, as published or as grouped
-- parameter: least = 0: only tools whose smaller camp has this share, 0-0.5
-- parameter: limit = 50: so many tools
-- picture: bars name split
SELECT
    name,
    category,
    split,
    panel_ship_pct,
    ship_takes,
    skip_takes,
    lowest_score,
    harshest_seat,
    highest_score,
    keenest_seat
FROM contested_tools
WHERE ($category::VARCHAR IS NULL OR $category::VARCHAR IN (category, category_group)) AND split >= $least::DOUBLE
ORDER BY split DESC, score_spread DESC NULLS LAST, name, tool_id
LIMIT $limit::BIGINT
