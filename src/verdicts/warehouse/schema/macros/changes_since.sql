-- Each row that loads changed after last_load, once, in the order of its newest change: its table, its key, whether it was added, changed or removed, and all of its columns as they are now (NULL: removed). Removed and added again is changed. An error if not all these changes are kept, or the corpus has no such load.
CREATE OR REPLACE MACRO changes_since(last_load) AS TABLE
WITH refused AS (
    -- No row, or the error. It comes before any filter: UNNEST is a barrier, relation = 'reviews' would skip a WHERE.
    SELECT unnest(CASE
        WHEN last_load::VARCHAR IN (SELECT load_id FROM ops.loads) IS NOT TRUE
            THEN [error(
                'this corpus has no load ' || coalesce(last_load::VARCHAR, 'NULL')
                || ': it was made again, rolled back, or is another corpus; start from a full copy'
            )]
        WHEN last_load::VARCHAR < changes_kept_since()
            THEN [error(
                'changes are kept since the load ' || changes_kept_since() || ', and ' || last_load::VARCHAR
                || ' is older; start from a full copy'
            )]
        ELSE []::VARCHAR[]
    END) AS why
),

steps AS (
    SELECT
        max(load_id) AS load_id,
        relation,
        row_key,
        arg_min(change, load_id) = 'added' AS is_new,
        arg_max(change, load_id) = 'removed' AS is_removed
    FROM history.changes
    WHERE load_id > last_load::VARCHAR
    GROUP BY ALL
),

found AS (
    SELECT
        coalesce(present.load_id, steps.load_id) AS load_id,
        relation,
        row_key::JSON AS row_key,
        CASE WHEN present.after IS NULL THEN 'removed' WHEN steps.is_new THEN 'added' ELSE 'changed' END AS change,
        present.after
    FROM steps
    FULL JOIN rows_since(last_load) AS present USING (relation, row_key)
    WHERE present.after IS NOT NULL OR steps.is_removed
    UNION ALL
    SELECT why, why, to_json(why), why, to_json(why) FROM refused
)

SELECT * FROM found
ORDER BY load_id, relation, row_key::VARCHAR;
