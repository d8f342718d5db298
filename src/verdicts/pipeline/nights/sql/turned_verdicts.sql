-- Verdicts that turned, and that the copy before does not have: a tool that turned alike on several pages is one.
WITH turned AS (
    SELECT changes.tool_id, changes.name, changes.verdict_before, changes.verdict_after, count(*) AS pages
    FROM verdict_changes AS changes
    ANTI JOIN before.history.verdict_history AS earlier
        ON
            changes.page_id = earlier.page_id
            AND changes.side = earlier.side
            AND changes.changed_at = earlier.valid_from
    WHERE changes.is_flip
    GROUP BY changes.tool_id, changes.name, changes.verdict_before, changes.verdict_after
)

SELECT count(*) OVER () AS total, name, verdict_before, verdict_after, pages
FROM turned
ORDER BY pages DESC, name, tool_id, verdict_after
LIMIT $most::BIGINT
