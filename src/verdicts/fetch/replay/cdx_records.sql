-- The records of the log that can be read, oldest first. A record ends where the next one of its segment begins.
WITH bounds AS (
    SELECT segment, segment_offset FROM fetches WHERE segment IS NOT NULL
    UNION
    SELECT segment, segment_offset FROM snapshots
    UNION
    SELECT segment, size FROM segments
),

records AS (
    SELECT
        segment,
        segment_offset,
        lead(segment_offset) OVER (PARTITION BY segment ORDER BY segment_offset) - segment_offset AS size
    FROM bounds
)

SELECT
    coalesce(snapshots.fetched_at, started_at),
    outcome,
    coalesce(final_url, address, fetches.url),
    coalesce(media_type, ''),
    coalesce(status_code, 200),
    'sha256:' || coalesce(body_sha256, ''),
    records.size,
    segment_offset,
    segment
FROM fetches
INNER JOIN records USING (segment, segment_offset)
LEFT JOIN snapshots USING (segment, segment_offset)
LEFT JOIN urls ON urls.url = fetches.url
WHERE NOT EXISTS (
    SELECT 1
    FROM lost
    WHERE lost.segment = fetches.segment
    AND fetches.segment_offset BETWEEN lost.segment_offset AND lost.segment_offset + lost.size - 1
)
ORDER BY fetch_id
