-- Pages of a host that were stored in runs which the gates hold, after its last accepted run: they are due.
WITH judged AS (
    SELECT crawl_id, max(state = 'held') AS is_held
    FROM gate_measures
    WHERE host = :host
    GROUP BY crawl_id
),

held AS (
    SELECT crawl_id
    FROM judged
    WHERE is_held AND crawl_id > coalesce((SELECT max(crawl_id) FROM judged WHERE NOT is_held), '')
)

UPDATE urls
SET due_at = min(due_at, coalesce(fetched_at, due_at))
WHERE host = :host AND url IN (SELECT url FROM fetches WHERE outcome = 'stored' AND crawl_id IN (SELECT crawl_id FROM held))
