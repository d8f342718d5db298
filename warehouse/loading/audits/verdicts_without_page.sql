SELECT verdicts.page_id, verdicts.side
FROM verdicts
ANTI JOIN pages USING (page_id)
