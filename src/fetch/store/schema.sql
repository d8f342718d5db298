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

-- The frontier: every address known. handled_in is the last crawl that settled it, whole_at the last answer that was asked
-- for without conditions, claim what the sitemap said when the page was last asked for (changed, same),
-- is_unjudged whether its bytes changed and no build has said yet if its content did, hops how many redirects led to it,
-- depth how many links.
CREATE TABLE IF NOT EXISTS urls (
    url              TEXT PRIMARY KEY,
    host             TEXT NOT NULL,
    due_at           TEXT NOT NULL,
    handled_in       TEXT,
    fetched_at       TEXT,
    whole_at         TEXT,
    interval_s       INTEGER NOT NULL DEFAULT 0,
    lastmod          TEXT,
    claim            TEXT,
    is_unjudged      INTEGER NOT NULL DEFAULT 0,
    etag             TEXT,
    last_modified    TEXT,
    is_etag_wrong    INTEGER NOT NULL DEFAULT 0,
    sha256           TEXT,
    not_found_nights INTEGER NOT NULL DEFAULT 0,
    not_found_on     TEXT,
    is_gone          INTEGER NOT NULL DEFAULT 0,
    alias_of         TEXT,
    hops             INTEGER NOT NULL DEFAULT 0,
    depth            INTEGER NOT NULL DEFAULT 0,
    discovered_in    TEXT NOT NULL,
    discovered_from  TEXT NOT NULL
) STRICT;
-- A crawl takes from the front of this index, whatever the number of addresses behind it.
CREATE INDEX IF NOT EXISTS urls_by_due ON urls (host, due_at);
CREATE INDEX IF NOT EXISTS urls_unjudged ON urls (host) WHERE is_unjudged = 1;

-- How often a host's sitemap was right about what changed and what did not.
CREATE TABLE IF NOT EXISTS hosts (
    host          TEXT PRIMARY KEY,
    lastmod_right INTEGER NOT NULL DEFAULT 0,
    lastmod_wrong INTEGER NOT NULL DEFAULT 0
) STRICT;

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

-- What a crawl left alone, by host and reason, with one address as an example. Links count as often as they are seen.
CREATE TABLE IF NOT EXISTS skips (
    crawl_id TEXT NOT NULL,
    host     TEXT NOT NULL,
    reason   TEXT NOT NULL,
    skipped  INTEGER NOT NULL,
    example  TEXT NOT NULL,
    PRIMARY KEY (crawl_id, host, reason)
) STRICT;

-- The index of the raw store: full records only, revisits lie in the segments and in the log. content_sha256 is of what
-- was read out of the page, NULL until it has been read: a new nonce changes the bytes and not the content.
CREATE TABLE IF NOT EXISTS snapshots (
    segment        TEXT NOT NULL,
    segment_offset INTEGER NOT NULL,
    url            TEXT NOT NULL,
    final_url      TEXT NOT NULL,
    fetched_at     TEXT NOT NULL,
    crawl_id       TEXT NOT NULL,
    sha256         TEXT NOT NULL,
    media_type     TEXT NOT NULL,
    content_sha256 TEXT,
    PRIMARY KEY (segment, segment_offset)
) STRICT;
CREATE INDEX IF NOT EXISTS snapshots_by_url ON snapshots (url);

-- How much of each segment is committed; what lies behind it is the tail of a crash.
CREATE TABLE IF NOT EXISTS segments (
    segment TEXT PRIMARY KEY,
    size    INTEGER NOT NULL
) STRICT;
