-- Texts with numbers from $first to $last.
SELECT missing.document, missing.field, missing.id, hash(texts.text) AS text_hash, texts.text
FROM texts
INNER JOIN missing USING (field, id)
WHERE missing.document BETWEEN $first::BIGINT AND $last::BIGINT
ORDER BY missing.document
