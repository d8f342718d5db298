-- Every column of every table and view, in order, with its comment. The warehouse's own tables are in another schema,
-- internal.
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
    described.comment AS relation_comment,
    columns.column_name AS name,
    columns.data_type AS type,
    columns.is_nullable,
    columns.comment
FROM described
INNER JOIN duckdb_columns() AS columns
    ON described.relation = columns.table_name
    AND columns.schema_name = 'main'
    AND columns.database_name = current_database()
ORDER BY described.relation, columns.column_index
