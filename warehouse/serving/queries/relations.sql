-- question: Which tables and views are there, and what does each column hold?
-- topic: crawl
-- parameter: relation: only this one
-- picture: table
WITH described AS (
    SELECT table_name AS relation, comment
    FROM duckdb_tables()
    WHERE NOT internal AND schema_name = 'main' AND database_name = current_database()
    UNION ALL
    SELECT view_name AS relation, comment
    FROM duckdb_views()
    WHERE NOT internal AND schema_name = 'main' AND database_name = current_database()
)

SELECT
    described.relation,
    described.comment AS holds,
    columns.column_name AS name,
    columns.data_type AS type,
    columns.comment AS meaning
FROM described
INNER JOIN duckdb_columns() AS columns
    ON described.relation = columns.table_name
    AND columns.schema_name = 'main'
    AND columns.database_name = current_database()
WHERE $relation::VARCHAR IS NULL OR described.relation = $relation::VARCHAR
ORDER BY described.relation, columns.column_index
