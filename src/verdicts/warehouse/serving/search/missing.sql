-- Texts that are not in the index, numbered in an order that does not depend on the load.
SELECT
    row_number() OVER (ORDER BY field, id) + (SELECT coalesce(max(document), -1) FROM search.indexed) AS document,
    field,
    id
FROM texts
ANTI JOIN search.indexed USING (field, id)
