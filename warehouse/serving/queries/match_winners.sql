-- question: Which tools win most of their matches?
-- topic: market
-- parameter: least = 1: only tools with at least this many matches that have a result
-- parameter: by = panel: what decides a match (panel, score)
-- parameter: limit = 50: at most this many tools
-- picture: bars name+slug+tool_id won_pct
WITH results AS (
    SELECT tool_id, if($by::VARCHAR = 'score', score_result, panel_result) AS result
    FROM tool_matches
    WHERE $by::VARCHAR IN ('panel', 'score')
)

SELECT
    tools.name,
    100 * count(*) FILTER (WHERE results.result = 'won') / count(*) AS won_pct,
    count(*) AS matches,
    count(*) FILTER (WHERE results.result = 'won') AS won,
    count(*) FILTER (WHERE results.result = 'lost') AS lost,
    count(*) FILTER (WHERE results.result = 'tied') AS tied,
    tools.slug,
    tools.tool_id
FROM results
INNER JOIN tools USING (tool_id)
WHERE results.result IS NOT NULL
GROUP BY tools.tool_id, tools.name, tools.slug
HAVING count(*) >= $least::BIGINT
ORDER BY won_pct DESC, matches DESC, tools.name, tools.tool_id
LIMIT $limit::BIGINT
