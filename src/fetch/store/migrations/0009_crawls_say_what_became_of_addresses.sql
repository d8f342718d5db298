-- What decided a skip, such as the pattern that excluded a link; and what became of each known address in a crawl.
ALTER TABLE skips ADD COLUMN detail TEXT;

CREATE TABLE endings (
    crawl_id  TEXT NOT NULL,
    host      TEXT NOT NULL,
    ending    TEXT NOT NULL,
    addresses INTEGER NOT NULL,
    example   TEXT NOT NULL,
    detail    TEXT,
    PRIMARY KEY (crawl_id, host, ending)
) STRICT, WITHOUT ROWID;
