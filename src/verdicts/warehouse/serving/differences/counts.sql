-- Each table that differs: rows added, changed and removed, and in how many rows each column changed.
WITH kinds AS (
    SELECT relation, change, column_names, count(*) AS rows
    FROM differences
    GROUP BY ALL
),

names AS (
    SELECT relation, unnest(column_names) AS name, rows
    FROM kinds
),

named AS (
    SELECT relation, name, sum(rows)::BIGINT AS rows
    FROM names
    GROUP BY ALL
),

columns AS (
    SELECT relation, string_agg(name || ' ' || format('{:,}', rows), ', ' ORDER BY rows DESC, name) AS columns
    FROM named
    GROUP BY ALL
)

SELECT
    kinds.relation,
    coalesce(sum(kinds.rows) FILTER (kinds.change = 'added'), 0)::BIGINT AS added,
    coalesce(sum(kinds.rows) FILTER (kinds.change = 'changed'), 0)::BIGINT AS changed,
    coalesce(sum(kinds.rows) FILTER (kinds.change = 'removed'), 0)::BIGINT AS removed,
    coalesce(any_value(columns.columns), '') AS columns
FROM kinds
INNER JOIN places USING (relation)
LEFT JOIN columns USING (relation)
GROUP BY kinds.relation, places.place
ORDER BY places.place
