-- question: What does each seat say of this tool, the keenest first?
-- parameter: tool: its tool_id
-- parameter: limit = 50: so many takes
-- picture: strip seat score
SELECT seat, score, verdict, text, attribution, confidence, appearances, hosts, review_id
FROM reviews
WHERE tool_id = $tool::VARCHAR
ORDER BY score DESC NULLS LAST, review_id
LIMIT $limit::BIGINT
