-- Of a page with one tool the next build knows.
ALTER TABLE documents ADD COLUMN claim VARCHAR;
UPDATE documents SET claim = 'compares' WHERE url IN (SELECT url FROM compared_tools GROUP BY url HAVING count(*) > 1);
