SELECT verdict_history.page_id, verdict_history.side, verdict_history.valid_from
FROM verdict_history
ANTI JOIN pages USING (page_id)
