-- The rows that differ, table by table.
SELECT differences.*
FROM differences
INNER JOIN places USING (relation)
ORDER BY places.place, differences.change, differences.row_key
