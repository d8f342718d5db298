-- question: What changed in the statements of pages about this tool, the newest first?
-- topic: changes
-- parameter: tool: its id, slug or name; without it, of every tool
-- parameter: limit = 50: at most this many changes
-- needs: nights
-- picture: table
SELECT
    name,
    changed_at,
    is_flip,
    panel_verdict_before,
    panel_verdict_after,
    panel_before_pct,
    panel_after_pct,
    community_before_pct,
    community_after_pct,
    pages,
    page_id
FROM verdict_changes
WHERE
    ($tool::VARCHAR IS NULL OR tool_id = $tool::VARCHAR)
    AND (is_flip OR panel_before_pct IS DISTINCT FROM panel_after_pct OR community_before_pct IS DISTINCT FROM community_after_pct)
ORDER BY changed_at DESC, page_id
LIMIT $limit::BIGINT
