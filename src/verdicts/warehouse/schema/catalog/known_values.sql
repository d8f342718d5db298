-- The values in the corpus that a parameter of a question may have.
WITH every AS (
    SELECT 'reviewer' AS name, reviewer AS value
    FROM reviews
    UNION ALL
    SELECT 'category', unnest([category, category_group])
    FROM tools
    UNION ALL
    SELECT 'entry', entry
    FROM tools
    UNION ALL
    SELECT 'currency', currency
    FROM pricing_tiers
    UNION ALL
    SELECT 'host', host
    FROM pages
    UNION ALL
    SELECT 'host', host
    FROM ops.fetches
    UNION ALL
    SELECT 'host', host
    FROM ops.gate_measures
    UNION ALL
    SELECT 'rule', reason
    FROM evidence.rejects
    UNION ALL
    SELECT 'rule', rule
    FROM evidence.discrepancies
    UNION ALL
    SELECT 'relation', unnest([table_name, schema_name || '.' || table_name])
    FROM duckdb_columns()
    WHERE
        NOT internal
        AND database_name = current_database()
        AND schema_name IN ('main', 'outside', 'history', 'evidence', 'ops')
    UNION ALL
    SELECT 'column', column_name
    FROM ops.fill_rates
)

SELECT DISTINCT value
FROM every
WHERE name = $name AND value IS NOT NULL
ORDER BY value
