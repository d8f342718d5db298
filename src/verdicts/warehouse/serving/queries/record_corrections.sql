-- question: What did people decide about this tool, review or page, and what did it change?
-- topic: trust
-- parameter: tool: its id, slug or name
-- parameter: review: its id or the beginning of it
-- parameter: page: its id, address or title, with its reviews; without any of these, all decisions
-- parameter: limit = 50: at most this many decisions
-- picture: table
WITH wanted AS (
    SELECT id FROM (VALUES ($tool::VARCHAR), ($review::VARCHAR), ($page::VARCHAR)) AS given(id) WHERE id IS NOT NULL
    UNION
    SELECT review_id FROM appearances WHERE page_id = $page::VARCHAR
),

named AS (
    SELECT
        made.correction_id,
        coalesce(former.name, made.value_before, 'none') AS was,
        coalesce(present.name, made.value_after, 'none') AS now,
        made.kind = 'category' AND lower(made.row_key) IN (
            SELECT 'category=' || lower(category) FROM tools WHERE tool_id = $tool::VARCHAR
        ) AS is_of_its_category
    FROM evidence.corrections AS made
    LEFT JOIN tools AS former ON made.value_before = former.tool_id
    LEFT JOIN tools AS present ON made.value_after = present.tool_id
)

SELECT
    made.outcome,
    made.kind AS correction,
    coalesce(made.subject, made.row_key) AS subject,
    made.column_name || ': ' || named.was || ' → ' || named.now AS change,
    made.detail,
    made.made_by,
    made.made_at,
    made.reason,
    made.correction_id
FROM evidence.corrections AS made
INNER JOIN named USING (correction_id)
WHERE
    coalesce($tool::VARCHAR, $review::VARCHAR, $page::VARCHAR) IS NULL
    OR list_has_any(made.about, (SELECT list(id) FROM wanted))
    OR named.is_of_its_category
ORDER BY made.made_at DESC, made.correction_id
LIMIT $limit::BIGINT
