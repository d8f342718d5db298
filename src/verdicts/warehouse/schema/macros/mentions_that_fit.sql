-- The mentions on pages that are not gone that fit filters. A filter of NULL lets all through, and 'none' what has no
-- value. Whether a mention fits those that are chosen from a list, its is_* columns say.
CREATE OR REPLACE MACRO mentions_that_fit(words, host, kind, panel) AS TABLE
WITH names AS (
    SELECT name_key, bool_or(tool_id IS NOT NULL) AS is_reviewed
    FROM mentions
    GROUP BY name_key
)

SELECT
    mentions.*,
    pages.host,
    pages.kind,
    pages.last_seen_at,
    CASE WHEN names.is_reviewed THEN 'reviewed' ELSE 'not reviewed' END AS of_panel,
    host IS NULL OR coalesce(pages.host, 'none') = host AS is_host,
    kind IS NULL OR pages.kind = kind AS is_kind,
    panel IS NULL OR of_panel = panel AS is_panel
FROM mentions
INNER JOIN pages USING (page_id)
INNER JOIN names USING (name_key)
WHERE NOT pages.is_gone AND (words IS NULL OR contains(lower(mentions.name), lower(words)));
