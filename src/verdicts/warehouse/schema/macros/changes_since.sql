-- The rows of history.changes after a load, oldest first. An error if the changes since that load are not all kept.
CREATE OR REPLACE MACRO changes_since(last_load) AS TABLE
WITH asked AS (
    SELECT CASE
        WHEN
            last_load::VARCHAR >= changes_kept_since()
            AND last_load::VARCHAR IN (SELECT load_id FROM ops.loads)
            THEN true
        ELSE error(
            'changes since the load ' || coalesce(last_load::VARCHAR, 'NULL') || ' are not kept;'
            || ' take the whole corpus, or a load of ops.loads from ' || coalesce(changes_kept_since(), 'the first')
        )
    END AS is_kept
),

found AS (
    SELECT * FROM history.changes WHERE load_id > last_load::VARCHAR
    UNION ALL
    -- No row. A join with an empty table would not ask whether they are kept.
    SELECT NULL, NULL, NULL, NULL, NULL, NULL, NULL FROM asked WHERE NOT is_kept
)

SELECT * FROM found
ORDER BY load_id, relation, row_key;
