-- The oldest load from which all later changes are kept. Since an older one, take the whole corpus.
CREATE OR REPLACE MACRO changes_kept_since() AS (
    SELECT coalesce(
        max(load_id) FILTER (
            rows_added + rows_changed + rows_removed > 0 AND load_id NOT IN (SELECT load_id FROM history.changes)
        ),
        min(load_id)
    )
    FROM ops.loads
);
