-- The rows that differ at one load from what they were at an earlier one. What comes back is no difference.
WITH steps AS (
    SELECT *
    FROM history.changes
    WHERE load_id > getvariable('before') AND load_id <= getvariable('after')
),

ends AS (
    SELECT
        relation,
        row_key,
        max(load_id) AS load_id,
        arg_min(change, load_id) <> 'added' AS was_there,
        arg_max(change, load_id) <> 'removed' AS is_there
    FROM steps
    GROUP BY ALL
),

step_values AS (
    SELECT relation, row_key, load_id, before, after, unnest(json_keys(coalesce(after, before))) AS name
    FROM steps
),

end_values AS (
    SELECT
        relation,
        row_key,
        name,
        arg_min(json_extract(before, name)::VARCHAR, load_id) AS before,
        arg_max(json_extract(after, name)::VARCHAR, load_id) AS after
    FROM step_values
    GROUP BY ALL
),

differing AS (
    SELECT end_values.*, places.column_index AS place
    FROM end_values
    INNER JOIN ends USING (relation, row_key)
    INNER JOIN duckdb_columns() AS places
        ON places.table_name = end_values.relation
        AND places.column_name = end_values.name
        AND places.database_name = current_database()
    WHERE NOT (ends.was_there AND ends.is_there AND end_values.before = end_values.after)
)

SELECT
    ends.load_id,
    ends.relation,
    ends.row_key,
    CASE WHEN NOT ends.was_there THEN 'added' WHEN NOT ends.is_there THEN 'removed' ELSE 'changed' END AS change,
    CASE
        WHEN ends.was_there AND ends.is_there THEN list(differing.name ORDER BY differing.place)
        ELSE []
    END AS column_names,
    CASE
        WHEN ends.was_there
            THEN '{' || coalesce(
                string_agg('"' || differing.name || '":' || differing.before, ',' ORDER BY differing.place), ''
            ) || '}'
    END AS before,
    CASE
        WHEN ends.is_there
            THEN '{' || coalesce(
                string_agg('"' || differing.name || '":' || differing.after, ',' ORDER BY differing.place), ''
            ) || '}'
    END AS after
FROM ends
LEFT JOIN differing USING (relation, row_key)
WHERE ends.was_there OR ends.is_there
GROUP BY ends.load_id, ends.relation, ends.row_key, ends.was_there, ends.is_there
HAVING NOT (ends.was_there AND ends.is_there) OR count(differing.name) > 0
