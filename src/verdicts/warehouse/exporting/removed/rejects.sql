-- They quote the pages that could not be read.
DELETE FROM evidence.rejects
WHERE url IN (SELECT url FROM reserved_pages WHERE url IS NOT NULL)
