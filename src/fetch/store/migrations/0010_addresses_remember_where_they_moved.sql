-- A site that takes a redirect away says nothing of the page that had moved.
ALTER TABLE urls ADD COLUMN moved_to TEXT;

UPDATE urls SET moved_to = alias_of WHERE standing IN ('alias', 'moved');
