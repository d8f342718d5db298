-- Prices that changed, and that the copy before does not have.
SELECT count(*) OVER () AS total, changes.name, changes.pricing_before, changes.pricing_after
FROM price_changes AS changes
ANTI JOIN before.history.price_history AS earlier
    ON changes.tool_id = earlier.tool_id AND changes.changed_at = earlier.valid_from
ORDER BY changes.name, changes.tool_id, changes.changed_at
LIMIT $most::BIGINT
