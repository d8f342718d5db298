-- The mentions on pages of other sites of the tool with this id or name key, with their pages; without it, all. A mention
-- that may be one of several tools of the panel with its name is a mention of each.
CREATE OR REPLACE MACRO mentions_meant(wanted) AS TABLE
SELECT
    mentions.* EXCLUDE (content_hash, load_id),
    pages.kind,
    pages.title,
    pages.url,
    pages.address,
    pages.host,
    pages.is_gone,
    pages.last_seen_at
FROM mentions
INNER JOIN pages USING (page_id)
WHERE
    pages.kind <> 'panel'
    AND (
        wanted IS NULL
        OR wanted IN (mentions.name_key, mentions.tool_id)
        OR (mentions.page_id, mentions.tool_number) IN (
            SELECT (candidates.page_id, candidates.tool_number)
            FROM evidence.product_candidates AS candidates
            WHERE candidates.tool_id = wanted AND candidates.reason IN ('same_name', 'same_name_and_vendor', 'corrected')
        )
    );
