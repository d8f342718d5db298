-- Documents of the index whose text is gone or changed.
SELECT indexed.document
FROM search.indexed
LEFT JOIN texts USING (field, id)
WHERE texts.text IS NULL OR hash(texts.text) <> indexed.text_hash
