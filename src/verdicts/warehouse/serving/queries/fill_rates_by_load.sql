-- question: How many values did each column have after each load, and among the rows it brought?
-- topic: crawl
-- parameter: relation: only this table
-- parameter: column: only columns of this name
-- parameter: loads = 30: only the last loads
-- picture: table
WITH newest AS (
    SELECT load_id, loaded_at
    FROM ops.loads
    ORDER BY loaded_at DESC, load_id DESC
    LIMIT $loads::BIGINT
)

SELECT
    newest.loaded_at,
    fill_rates.relation,
    fill_rates.column_name,
    round(100 * fill_rates.filled / nullif(fill_rates.held, 0), 2) AS filled_pct,
    round(100 * fill_rates.brought_filled / nullif(fill_rates.brought, 0), 2) AS brought_filled_pct,
    fill_rates.held,
    fill_rates.brought,
    fill_rates.load_id
FROM ops.fill_rates
INNER JOIN newest USING (load_id)
WHERE
    ($relation::VARCHAR IS NULL OR fill_rates.relation = $relation::VARCHAR)
    AND ($column::VARCHAR IS NULL OR fill_rates.column_name = $column::VARCHAR)
ORDER BY newest.loaded_at DESC, newest.load_id DESC, fill_rates.relation, fill_rates.column_name
