-- Verdicts that turned, and that the copy before does not have: a tool that turned on several pages is one.
WITH turned AS (
    SELECT changes.*
    FROM verdict_changes AS changes
    ANTI JOIN before.history.verdict_history AS earlier
        ON
            changes.page_id = earlier.page_id
            AND changes.side = earlier.side
            AND date_trunc('day', changes.changed_at) = date_trunc('day', earlier.valid_from)
    WHERE changes.is_flip
)

SELECT count(*) OVER () AS total, name, panel_verdict_before, panel_verdict_after, pages
FROM turned
ORDER BY pages DESC, name, tool_id
LIMIT $most::BIGINT
