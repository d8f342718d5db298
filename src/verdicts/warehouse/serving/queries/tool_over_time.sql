-- question: What did pages say about this tool over time, and what was its mean score?
-- topic: changes
-- parameter: tool: its id, slug or name; without it, of every tool
-- parameter: limit = 200: at most this many days, the newest
-- picture: table
WITH states AS (
    SELECT tool_id, panel_verdict, valid_from, valid_to
    FROM history.verdict_history
    WHERE $tool::VARCHAR IS NULL OR tool_id = $tool::VARCHAR
),

scores AS (
    SELECT tool_id, score, valid_from, valid_to
    FROM history.review_history
    WHERE score IS NOT NULL AND ($tool::VARCHAR IS NULL OR tool_id = $tool::VARCHAR)
),

-- What a day adds and takes away, statements of pages and scores: a night reads pages one after another.
events AS (
    SELECT tool_id, date_trunc('day', valid_from) AS changed_at, panel_verdict, 1 AS pages, 0 AS scores, 0 AS score
    FROM states
    UNION ALL
    SELECT tool_id, date_trunc('day', valid_to), panel_verdict, -1, 0, 0
    FROM states
    WHERE valid_to IS NOT NULL
    UNION ALL
    SELECT tool_id, date_trunc('day', valid_from), NULL, 0, 1, score
    FROM scores
    UNION ALL
    SELECT tool_id, date_trunc('day', valid_to), NULL, 0, -1, -score
    FROM scores
    WHERE valid_to IS NOT NULL
),

days AS (
    SELECT
        tool_id,
        changed_at,
        coalesce(sum(pages) FILTER (WHERE panel_verdict = 'ship'), 0) AS ship,
        coalesce(sum(pages) FILTER (WHERE panel_verdict = 'mixed'), 0) AS mixed,
        coalesce(sum(pages) FILTER (WHERE panel_verdict = 'skip'), 0) AS skip,
        coalesce(sum(pages) FILTER (WHERE panel_verdict IS NULL), 0) AS silent,
        sum(scores) AS scores,
        sum(score) AS scored
    FROM events
    GROUP BY tool_id, changed_at
    HAVING ship <> 0 OR mixed <> 0 OR skip <> 0 OR silent <> 0 OR scores <> 0 OR scored <> 0
)

SELECT
    days.changed_at,
    tools.name,
    sum(days.scored) OVER so_far / nullif(sum(days.scores) OVER so_far, 0) AS mean_score,
    (sum(days.scores) OVER so_far)::BIGINT AS scored_reviews,
    (sum(days.ship) OVER so_far)::BIGINT AS ship_pages,
    (sum(days.mixed) OVER so_far)::BIGINT AS mixed_pages,
    (sum(days.skip) OVER so_far)::BIGINT AS skip_pages,
    (sum(days.silent) OVER so_far)::BIGINT AS pages_without_verdict,
    days.tool_id
FROM days
INNER JOIN tools USING (tool_id)
WINDOW so_far AS (PARTITION BY days.tool_id ORDER BY days.changed_at)
ORDER BY days.changed_at DESC, tools.name, days.tool_id
LIMIT $limit::BIGINT
