-- question: Which tools split the panel?
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
ORDER BY split DESC, score_spread DESC NULLS LAST, name, tool_id
