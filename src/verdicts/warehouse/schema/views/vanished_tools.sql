CREATE OR REPLACE VIEW history.vanished_tools AS
WITH shown AS (
    SELECT tool_cards.tool_id, pages.page_id, pages.url, pages.is_gone, pages.last_seen_at
    FROM evidence.tool_cards
    INNER JOIN pages USING (page_id)
),

vanished AS (
    SELECT tool_id
    FROM shown
    GROUP BY tool_id
    HAVING bool_and(is_gone)
),

-- The first answer without the page after it was read last.
absent AS (
    SELECT shown.tool_id, shown.page_id, min(ops.fetches.started_at) AS gone_at
    FROM shown
    SEMI JOIN vanished USING (tool_id)
    INNER JOIN ops.fetches USING (url)
    WHERE fetches.outcome IN ('gone', 'not_found', 'soft_404') AND fetches.started_at >= shown.last_seen_at
    GROUP BY shown.tool_id, shown.page_id
),

final AS (
    SELECT
        tools.tool_id,
        tools.host,
        tools.slug,
        tools.name,
        tools.category,
        tools.category_group,
        count(DISTINCT shown.page_id) AS pages,
        tools.last_seen_at,
        max(absent.gone_at) AS vanished_at
    FROM vanished
    INNER JOIN tools USING (tool_id)
    INNER JOIN shown USING (tool_id)
    LEFT JOIN absent ON shown.tool_id = absent.tool_id AND shown.page_id = absent.page_id
    GROUP BY tools.tool_id, tools.host, tools.slug, tools.name, tools.category, tools.category_group, tools.last_seen_at
)

SELECT * FROM final;

COMMENT ON VIEW history.vanished_tools IS
    'A tool with no page that is not gone. Its rows stay: they hold what the site showed last.';

COMMENT ON COLUMN history.vanished_tools.tool_id IS 'Tool (tools.tool_id).';
COMMENT ON COLUMN history.vanished_tools.host IS 'Host of the slug. NULL: known from text dumps only.';
COMMENT ON COLUMN history.vanished_tools.slug IS 'Slug of the tool. NULL: known from text dumps only.';
COMMENT ON COLUMN history.vanished_tools.name IS 'Display name as last published.';
COMMENT ON COLUMN history.vanished_tools.category IS 'Category as last published.';
COMMENT ON COLUMN history.vanished_tools.category_group IS 'One name for all spellings and synonyms of its category: a suggestion (tools.category_group).';
COMMENT ON COLUMN history.vanished_tools.pages IS 'Pages that showed it.';
COMMENT ON COLUMN history.vanished_tools.last_seen_at IS 'Fetch time of the newest snapshot that shows it.';
COMMENT ON COLUMN history.vanished_tools.vanished_at IS 'When the last of its pages was first reported as missing. NULL: the log has no such answer.';
