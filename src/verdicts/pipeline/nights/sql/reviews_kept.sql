-- Of some texts, by id, how each stands in the corpus; of short ones, whose ids depend on their tools, the words.
SELECT text_id, NULL AS text, min(match) AS match
FROM appearances
WHERE text_id IN (SELECT unnest($text_ids))
GROUP BY text_id
UNION ALL
SELECT DISTINCT NULL, text, match
FROM appearances
WHERE length(text) < $short
