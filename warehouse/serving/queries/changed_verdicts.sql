-- question: Of which tools did the verdict change, and when?
-- parameter: since = -infinity: only changes from this moment on
-- picture: table
SELECT changed_at, name, verdict_before, verdict_after, panel_before_pct, panel_after_pct, page_id, side
FROM verdict_changes
WHERE is_flip AND changed_at >= $since::TIMESTAMPTZ
ORDER BY changed_at DESC, name, page_id, side
