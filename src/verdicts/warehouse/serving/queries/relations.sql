-- question: Which tables and views are there, and what does each column contain?
-- topic: crawl
-- parameter: relation: only this one, with or without its schema
-- picture: table
WITH described AS (
    SELECT schema_name, table_name AS relation, comment
    FROM duckdb_tables()
    WHERE NOT internal AND database_name = current_database()
    UNION ALL
    SELECT schema_name, view_name AS relation, comment
    FROM duckdb_views()
    WHERE NOT internal AND database_name = current_database()
),

placed AS (
    SELECT *, list_position(['main', 'outside', 'history', 'evidence', 'ops'], schema_name) AS place
    FROM described
)

SELECT
    concat_ws('.', nullif(placed.schema_name, 'main'), placed.relation) AS relation,
    placed.comment AS holds,
    columns.column_name AS name,
    columns.data_type AS type,
    columns.comment AS meaning
FROM placed
INNER JOIN duckdb_columns() AS columns
    ON placed.relation = columns.table_name
    AND placed.schema_name = columns.schema_name
    AND columns.database_name = current_database()
WHERE
    placed.place IS NOT NULL
    AND (
        $relation::VARCHAR IS NULL
        OR lower($relation::VARCHAR) IN (placed.relation, concat_ws('.', placed.schema_name, placed.relation))
    )
ORDER BY placed.place, placed.relation, columns.column_index
