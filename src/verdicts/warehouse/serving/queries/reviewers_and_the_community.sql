-- question: Which reviewer predicts what the community says, and how sure is that (Wilson, 95 %)?
-- topic: panel
-- parameter: least = 3: only reviewers with at least this many tools that the community has voted on
-- picture: bars reviewer agree_pct
WITH voted AS (
    SELECT tool_id, community_pct
    FROM tools
    WHERE community_pct IS NOT NULL
)

SELECT
    reviews.reviewer,
    count(DISTINCT reviews.tool_id) AS tools,
    count(reviews.verdict) AS verdicts,
    count_if((reviews.verdict = 'ship') = (voted.community_pct > 50)) AS agreed,
    100 * agreed / verdicts AS agree_pct,
    wilson_pct(agreed, verdicts, -1.96) AS agree_from_pct,
    wilson_pct(agreed, verdicts, 1.96) AS agree_to_pct,
    count(reviews.score) AS scored_reviews,
    avg(abs(reviews.score - voted.community_pct)) AS mean_distance,
    round(nullif(corr(reviews.score, voted.community_pct), 'NaN'), 6) AS correlation
FROM reviews
INNER JOIN voted USING (tool_id)
WHERE reviews.is_shown AND reviews.reviewer IS NOT NULL AND voted.community_pct <> 50
GROUP BY reviews.reviewer
HAVING count(DISTINCT reviews.tool_id) >= $least::BIGINT AND verdicts > 0
ORDER BY agree_pct DESC, reviews.reviewer
