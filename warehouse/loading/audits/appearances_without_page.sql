SELECT appearances.page_id, appearances.text_id
FROM appearances
ANTI JOIN pages USING (page_id)
