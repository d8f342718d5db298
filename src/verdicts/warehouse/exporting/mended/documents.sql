UPDATE outside.documents
SET text = ''
WHERE url IN (SELECT url FROM reserved_documents)
