-- question: What is this page of another site, and what was read of it?
-- topic: sites
-- parameter: document: its address or title; without it, of every page of another site
-- parameter: limit = 50: at most this many rows
-- picture: table
SELECT
    documents.title,
    documents.address,
    documents.author,
    documents.published_date,
    CASE documents.claim WHEN 'compares' THEN 'compares tools' WHEN 'describes' THEN 'describes a tool' ELSE 'names no tool' END
        AS claim,
    documents.reader,
    (SELECT count(*) FROM outside.all_outside_tools AS tools WHERE tools.url = documents.url) AS tools,
    (SELECT count(*) FROM outside.comparison_rows AS facts WHERE facts.url = documents.url) AS facts,
    (SELECT count(*) FROM outside.outside_reviews AS reviews WHERE reviews.url = documents.url) AS reviews,
    (
        SELECT string_agg(concat_ws(': ', rejects.reason, rejects.detail), '; ' ORDER BY rejects.reason, rejects.detail)
        FROM evidence.rejects
        WHERE rejects.url = documents.url
    ) AS not_read,
    documents.rights,
    documents.first_seen_at,
    documents.last_seen_at,
    documents.url
FROM outside.documents
WHERE
    documents.url = $document::VARCHAR
    -- A list of the panel's own pages says nothing.
    OR (
        $document::VARCHAR IS NULL
        AND (documents.claim IS NOT NULL OR documents.host NOT IN (SELECT host FROM pages WHERE host IS NOT NULL))
    )
ORDER BY documents.last_seen_at DESC, documents.url
LIMIT $limit::BIGINT
