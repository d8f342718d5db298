SELECT discrepancies.page_id, discrepancies.rule
FROM discrepancies
ANTI JOIN pages USING (page_id)
