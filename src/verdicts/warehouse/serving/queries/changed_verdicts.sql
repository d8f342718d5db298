-- question: On which tools did the verdict of the panel change, and when?
-- topic: changes
-- parameter: since = -infinity: only changes from this moment on
-- parameter: limit: at most this many changes, the newest
-- needs: nights
-- picture: table
SELECT
    verdict_changes.changed_at,
    verdict_changes.name,
    verdict_changes.panel_verdict_before,
    verdict_changes.panel_verdict_after,
    verdict_changes.panel_before_pct,
    verdict_changes.panel_after_pct,
    verdict_changes.pages,
    verdict_changes.page_id,
    verdict_changes.side,
    verdict_changes.tool_id,
    tools.slug,
    tools.is_shared_name
FROM verdict_changes
INNER JOIN tools USING (tool_id)
WHERE verdict_changes.is_flip AND verdict_changes.changed_at >= $since::TIMESTAMPTZ
ORDER BY verdict_changes.changed_at DESC, verdict_changes.name, verdict_changes.page_id, verdict_changes.side
LIMIT $limit::BIGINT
