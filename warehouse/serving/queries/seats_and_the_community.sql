-- question: Which seat predicts what the community says?
-- topic: panel
-- parameter: least = 3: only seats with at least this many tools that the community has voted on
-- picture: bars seat agree_pct
WITH voted AS (
    SELECT tool_id, community_pct
    FROM scorecards
    WHERE community_pct IS NOT NULL
)

SELECT
    reviews.seat,
    count(DISTINCT reviews.tool_id) AS tools,
    100 * count(*) FILTER (WHERE (reviews.verdict = 'ship') = (voted.community_pct > 50)) / count(reviews.verdict) AS agree_pct,
    avg(abs(reviews.score - voted.community_pct)) AS mean_distance,
    corr(reviews.score, voted.community_pct) AS correlation
FROM reviews
INNER JOIN voted USING (tool_id)
WHERE reviews.seat IS NOT NULL AND voted.community_pct <> 50
GROUP BY reviews.seat
HAVING count(DISTINCT reviews.tool_id) >= $least::BIGINT AND count(reviews.verdict) > 0
ORDER BY agree_pct DESC, reviews.seat
