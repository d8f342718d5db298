-- Every column of every table and view of ours, in order, with what is said of it.
WITH described AS (
    SELECT table_name AS relation, 'table' AS kind, comment FROM duckdb_tables() WHERE NOT internal
    UNION ALL
    SELECT view_name AS relation, 'view' AS kind, comment FROM duckdb_views() WHERE NOT internal
)

SELECT
    described.relation,
    described.kind,
    described.comment AS relation_comment,
    columns.column_name AS name,
    columns.data_type AS type,
    columns.is_nullable,
    columns.comment
FROM described
INNER JOIN duckdb_columns() AS columns ON described.relation = columns.table_name AND NOT columns.internal
ORDER BY described.kind, described.relation, columns.column_index
