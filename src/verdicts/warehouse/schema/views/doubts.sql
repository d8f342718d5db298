CREATE OR REPLACE VIEW evidence.doubts AS
WITH contradictions AS (
    SELECT
        'discrepancy' AS kind,
        discrepancies.rule,
        pages.host,
        pages.url,
        discrepancies.page_id,
        discrepancies.tool_id,
        discrepancies.expected,
        discrepancies.found,
        loads.loaded_at AS first_seen_at
    FROM evidence.discrepancies
    INNER JOIN pages USING (page_id)
    INNER JOIN ops.loads ON discrepancies.load_id = loads.load_id
),

-- The log does not know the place of a snapshot that was compacted away.
fetched AS (
    SELECT segment, segment_offset, min(started_at) AS started_at
    FROM ops.fetches
    WHERE segment IS NOT NULL
    GROUP BY segment, segment_offset
),

unread AS (
    SELECT
        'reject' AS kind,
        rejects.reason AS rule,
        nullif(lower(regexp_extract(rejects.url, '^[a-z]+://([^/?#]+)', 1)), '') AS host,
        rejects.url,
        NULL AS page_id,
        NULL AS tool_id,
        NULL AS expected,
        rejects.detail AS found,
        coalesce(fetched.started_at, loads.loaded_at) AS first_seen_at
    FROM evidence.rejects
    INNER JOIN ops.loads ON rejects.load_id = loads.load_id
    LEFT JOIN fetched ON rejects.segment = fetched.segment AND rejects.segment_offset = fetched.segment_offset
),

final AS (
    SELECT * FROM contradictions
    UNION ALL
    SELECT * FROM unread
)

SELECT * FROM final;

COMMENT ON VIEW evidence.doubts IS
    'A contradiction (discrepancies), or content that could not be read (rejects), with its page and the time since which it is known.';

COMMENT ON COLUMN evidence.doubts.kind IS 'discrepancy, reject.';
COMMENT ON COLUMN evidence.doubts.rule IS 'Broken rule (evidence.discrepancies.rule), or reason (evidence.rejects.reason).';
COMMENT ON COLUMN evidence.doubts.host IS 'Host, lower case. NULL: a file that came without an address.';
COMMENT ON COLUMN evidence.doubts.url IS 'Address of the page or snapshot. NULL: the page has none.';
COMMENT ON COLUMN evidence.doubts.page_id IS 'Page (pages.page_id). NULL: a reject has no page.';
COMMENT ON COLUMN evidence.doubts.tool_id IS 'Tool it is about (tools.tool_id). NULL: the page as a whole, or a reject.';
COMMENT ON COLUMN evidence.doubts.expected IS 'What follows from one statement. NULL: a reject.';
COMMENT ON COLUMN evidence.doubts.found IS 'What the other statement says, or the reason in words.';
COMMENT ON COLUMN evidence.doubts.first_seen_at IS 'For a reject, when its snapshot was fetched, if this is known. Otherwise, when the load that added the row began.';
