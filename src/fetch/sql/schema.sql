-- The fetcher's own state: one SQLite file, so that one commit covers the frontier, the log and the index of the raw store.

-- A run. status: running, done, partial, failed. The counts are written when it ends.
CREATE TABLE IF NOT EXISTS crawls (
    crawl_id    TEXT PRIMARY KEY,
    kind        TEXT NOT NULL,
    started_at  TEXT NOT NULL,
    finished_at TEXT,
    status      TEXT NOT NULL,
    fetched     INTEGER NOT NULL DEFAULT 0,
    unchanged   INTEGER NOT NULL DEFAULT 0,
    failed      INTEGER NOT NULL DEFAULT 0,
    bytes       INTEGER NOT NULL DEFAULT 0
) STRICT;

-- The frontier: every address known. handled_in is the last crawl that settled it, lastmod what a sitemap claims, hops how
-- many redirects led to it.
CREATE TABLE IF NOT EXISTS urls (
    url              TEXT PRIMARY KEY,
    host             TEXT NOT NULL,
    handled_in       TEXT,
    fetched_at       TEXT,
    lastmod          TEXT,
    etag             TEXT,
    last_modified    TEXT,
    sha256           TEXT,
    not_found_nights INTEGER NOT NULL DEFAULT 0,
    not_found_on     TEXT,
    is_gone          INTEGER NOT NULL DEFAULT 0,
    hops             INTEGER NOT NULL DEFAULT 0,
    discovered_in    TEXT NOT NULL,
    discovered_from  TEXT NOT NULL
) STRICT;
CREATE INDEX IF NOT EXISTS urls_by_host ON urls (host, handled_in);

-- The log: an attempt a row.
CREATE TABLE IF NOT EXISTS fetches (
    fetch_id       TEXT PRIMARY KEY,
    crawl_id       TEXT NOT NULL,
    url            TEXT NOT NULL,
    outcome        TEXT NOT NULL,
    status_code    INTEGER,
    attempt        INTEGER NOT NULL,
    started_at     TEXT NOT NULL,
    elapsed_ms     INTEGER NOT NULL,
    bytes          INTEGER NOT NULL,
    body_sha256    TEXT,
    segment        TEXT,
    segment_offset INTEGER,
    detail         TEXT
) STRICT;
CREATE INDEX IF NOT EXISTS fetches_by_crawl ON fetches (crawl_id);

-- The index of the raw store: full records only, revisits lie in the segments and in the log.
CREATE TABLE IF NOT EXISTS snapshots (
    segment        TEXT NOT NULL,
    segment_offset INTEGER NOT NULL,
    url            TEXT NOT NULL,
    final_url      TEXT NOT NULL,
    fetched_at     TEXT NOT NULL,
    crawl_id       TEXT NOT NULL,
    sha256         TEXT NOT NULL,
    media_type     TEXT NOT NULL,
    PRIMARY KEY (segment, segment_offset)
) STRICT;
CREATE INDEX IF NOT EXISTS snapshots_by_url ON snapshots (url);

-- How much of each segment is committed; what lies behind it is the tail of a crash.
CREATE TABLE IF NOT EXISTS segments (
    segment TEXT PRIMARY KEY,
    size    INTEGER NOT NULL
) STRICT;
