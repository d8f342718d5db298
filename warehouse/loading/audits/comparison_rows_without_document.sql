SELECT comparison_rows.url, comparison_rows.position
FROM comparison_rows
ANTI JOIN documents USING (url)
