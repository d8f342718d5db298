-- question: Which tools win most of the matches that are won or lost, by the lower end of the interval (Wilson, 95 %)?
-- topic: market
-- parameter: least = 10: only tools with at least this many matches that are won or lost
-- parameter: by = panel: what decides a match (panel, score)
-- parameter: limit = 50: at most this many tools
-- hides: tools with fewer than ten matches that are won or lost; a smaller least shows them
-- picture: bars name+slug+tool_id won_pct
WITH results AS (
    SELECT tool_id, if($by::VARCHAR = 'score', score_result, panel_result) AS result
    FROM matches
    WHERE $by::VARCHAR IN ('panel', 'score')
)

-- A tie is neither won nor lost. Sure is the lower end of the interval: 5 of 5 comes after 29 of 30.
SELECT
    tools.name,
    count(*) FILTER (WHERE results.result = 'won') AS won,
    count(*) FILTER (WHERE results.result = 'lost') AS lost,
    count(*) FILTER (WHERE results.result = 'tied') AS tied,
    round(100 * won / (won + lost), 1) AS won_pct,
    round(wilson_pct(won, won + lost, -1.96), 1) AS won_from_pct,
    round(wilson_pct(won, won + lost, 1.96), 1) AS won_to_pct,
    tools.slug,
    tools.is_shared_name,
    tools.tool_id
FROM results
INNER JOIN tools USING (tool_id)
GROUP BY tools.name, tools.slug, tools.is_shared_name, tools.tool_id
HAVING won + lost >= greatest($least::BIGINT, 1)
ORDER BY wilson_pct(won, won + lost, -1.96) DESC, tools.name, tools.tool_id
LIMIT $limit::BIGINT
