-- Every column of every table and view for readers, in order, with its comment.
WITH described AS (
    SELECT schema_name, table_name AS relation, comment
    FROM duckdb_tables()
    WHERE NOT internal AND database_name = current_database()
    UNION ALL
    SELECT schema_name, view_name AS relation, comment
    FROM duckdb_views()
    WHERE NOT internal AND database_name = current_database()
)

SELECT
    described.schema_name,
    described.relation,
    described.comment AS relation_comment,
    columns.column_name AS name,
    columns.data_type AS type,
    columns.is_nullable,
    columns.comment
FROM described
INNER JOIN duckdb_columns() AS columns
    ON described.relation = columns.table_name
    AND described.schema_name = columns.schema_name
    AND columns.database_name = current_database()
WHERE list_contains($schemas, described.schema_name)
ORDER BY described.relation, columns.column_index
