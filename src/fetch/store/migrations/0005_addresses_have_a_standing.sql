ALTER TABLE urls ADD COLUMN standing TEXT NOT NULL DEFAULT 'new';

UPDATE urls
SET standing = CASE
    WHEN alias_of IS NOT NULL THEN 'alias'
    WHEN fetched_at IS NULL THEN 'new'
    WHEN sha256 IS NOT NULL AND is_gone = 0 AND not_found_nights = 0 THEN 'held'
    ELSE 'absent'
END;

CREATE INDEX urls_by_alias ON urls (alias_of) WHERE alias_of IS NOT NULL;

-- Pages that were given up for an address that never held them.
UPDATE urls
SET due_at = fetched_at
WHERE
    standing = 'alias'
    AND fetched_at IS NOT NULL
    AND alias_of NOT IN (SELECT url FROM urls WHERE standing = 'held');

CREATE TABLE parameters (
    host       TEXT NOT NULL,
    name       TEXT NOT NULL,
    is_dropped INTEGER NOT NULL,
    decided_in TEXT NOT NULL,
    PRIMARY KEY (host, name)
) STRICT, WITHOUT ROWID;
