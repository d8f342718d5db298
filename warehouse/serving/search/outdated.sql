-- Documents of the index whose text is gone, or says something else.
SELECT documents.document
FROM search.documents
LEFT JOIN texts USING (field, id)
WHERE texts.text IS NULL OR hash(texts.text) <> documents.text_hash
