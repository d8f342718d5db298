-- The state of the store: one SQLite file, so that one commit covers the frontier, the log and the index of the raw store.

-- One row per run. status: running, done, partial, interrupted. The counts are written when it ends.
CREATE TABLE crawls (
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

-- The frontier: one row per known page. url is its key, the canonical form that finds two links to one page; address is what
-- is asked for: the spelling that last answered with the page, else the first one seen.
-- handled_in is the last crawl that settled it, unconditional_at the last visit that
-- sent no conditions, claim what the sitemap claimed at the last visit (changed, same), is_content_unverified whether its
-- bytes changed and no build has compared its content yet, hops how many redirects led to it, depth how many links,
-- url_status what the last visit brought (verdicts.fetch.model.url_state), alias_of the address that it names or redirects to,
-- gone_in the run that made it a tombstone and gone_at the time of that visit, moved_to the address that it leant on last, until it has a page again.
CREATE TABLE urls (
    url                   TEXT PRIMARY KEY,
    address               TEXT NOT NULL,
    host                  TEXT NOT NULL,
    due_at                TEXT NOT NULL,
    handled_in            TEXT,
    fetched_at            TEXT,
    unconditional_at      TEXT,
    interval_s            INTEGER NOT NULL DEFAULT 0,
    lastmod               TEXT,
    claim                 TEXT,
    is_content_unverified INTEGER NOT NULL DEFAULT 0,
    etag                  TEXT,
    last_modified         TEXT,
    is_etag_wrong         INTEGER NOT NULL DEFAULT 0,
    sha256                TEXT,
    not_found_nights      INTEGER NOT NULL DEFAULT 0,
    not_found_on          TEXT,
    is_gone               INTEGER NOT NULL DEFAULT 0,
    alias_of              TEXT,
    hops                  INTEGER NOT NULL DEFAULT 0,
    depth                 INTEGER NOT NULL DEFAULT 0,
    discovered_in         TEXT NOT NULL,
    discovered_from       TEXT NOT NULL,
    url_status              TEXT NOT NULL DEFAULT 'new',
    gone_in               TEXT,
    gone_at               TEXT,
    moved_to              TEXT
) STRICT;
-- A crawl reads from the front of this index, so its cost does not grow with the number of URLs.
CREATE INDEX urls_by_due ON urls (host, due_at);
CREATE INDEX urls_unverified ON urls (host) WHERE is_content_unverified = 1;
CREATE INDEX urls_by_alias ON urls (alias_of) WHERE alias_of IS NOT NULL;

-- Tombstones that answered again: the time between the visit that found the page gone and the one that found it again.
CREATE TABLE absences (
    url   TEXT NOT NULL,
    since TEXT NOT NULL,
    until TEXT NOT NULL,
    PRIMARY KEY (url, since)
) STRICT, WITHOUT ROWID;

-- The other spellings of the pages of the frontier, as links and redirects write them: if robots.txt refuses one, none is asked.
CREATE TABLE spellings (
    url     TEXT NOT NULL,
    address TEXT NOT NULL,
    PRIMARY KEY (url, address)
) STRICT, WITHOUT ROWID;

-- Pages that show a stub in place of what they said: words is a digest of the stub's words, since the day of its first visit.
CREATE TABLE stubs (
    url   TEXT PRIMARY KEY,
    host  TEXT NOT NULL,
    words TEXT NOT NULL,
    since TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX stubs_by_words ON stubs (host, words);

-- One row per host (`a.example`, `a.example:8080`): how many claims of its sitemap, of a change or of none, proved right and wrong;
-- until when it asked for a pause; the last crawl that it slowed down, and the longest delay in it; as JSON the content signals
-- of its robots.txt, and the rules of its tdmrep.json with the time when that was read.
CREATE TABLE hosts (
    host          TEXT PRIMARY KEY,
    lastmod_right INTEGER NOT NULL DEFAULT 0,
    lastmod_wrong INTEGER NOT NULL DEFAULT 0,
    paused_until  TEXT,
    slowed_in     TEXT,
    slowest_s     REAL,
    signals       TEXT,
    tdm_rules     TEXT,
    tdm_read_at   TEXT
) STRICT;

-- What a page states about rights in it (verdicts.fetch.parse.rights), as JSON; pages that state nothing have no row.
CREATE TABLE page_rights (
    url    TEXT PRIMARY KEY,
    stated TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- The robots.txt of each host: the last answer (read_at, status, body), and why a later try failed.
CREATE TABLE robots (
    host      TEXT PRIMARY KEY,
    read_at   TEXT,
    status    INTEGER,
    body      BLOB,
    failure   TEXT,
    failed_at TEXT
) STRICT;

-- The log: one row per attempt.
CREATE TABLE fetches (
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
CREATE INDEX fetches_by_crawl ON fetches (crawl_id);

-- What a crawl skipped: one row per host and reason, with one URL as an example. A link counts each time it is seen.
-- detail is what decided it, such as the pattern that excluded the example.
CREATE TABLE skips (
    crawl_id TEXT NOT NULL,
    host     TEXT NOT NULL,
    reason   TEXT NOT NULL,
    skipped  INTEGER NOT NULL,
    example  TEXT NOT NULL,
    detail   TEXT,
    PRIMARY KEY (crawl_id, host, reason)
) STRICT;

-- What became of the frontier in a crawl that ended: each address is counted once, by host and ending, which is its last
-- outcome in that crawl, or the reason for which it was not asked for. example is one of them, detail what decided it: the
-- detail of its attempt, the budget that was spent, when the first of those that are not due is.
CREATE TABLE endings (
    crawl_id  TEXT NOT NULL,
    host      TEXT NOT NULL,
    ending    TEXT NOT NULL,
    addresses INTEGER NOT NULL,
    example   TEXT NOT NULL,
    detail    TEXT,
    PRIMARY KEY (crawl_id, host, ending)
) STRICT, WITHOUT ROWID;

-- The index of the raw store: one row per full record; revisit records are in the segments and the log only.
-- content_sha256 is the digest of what the build extracted, NULL until then: a nonce changes the bytes, not the content.
-- seen_at is the date of the newest ingested capture of the same bytes that was not stored, NULL if there is none.
CREATE TABLE snapshots (
    segment        TEXT NOT NULL,
    segment_offset INTEGER NOT NULL,
    url            TEXT NOT NULL,
    final_url      TEXT NOT NULL,
    fetched_at     TEXT NOT NULL,
    crawl_id       TEXT NOT NULL,
    sha256         TEXT NOT NULL,
    media_type     TEXT NOT NULL,
    content_sha256 TEXT,
    seen_at        TEXT,
    PRIMARY KEY (segment, segment_offset)
) STRICT;
CREATE INDEX snapshots_by_url ON snapshots (url);

-- One row per file of segments: how many bytes are committed; what follows them was left by a crash.
CREATE TABLE segments (
    segment TEXT PRIMARY KEY,
    size    INTEGER NOT NULL
) STRICT;

-- Damaged bytes that were given up; the pages in them are asked for again.
CREATE TABLE lost (
    segment        TEXT NOT NULL,
    segment_offset INTEGER NOT NULL,
    size           INTEGER NOT NULL,
    PRIMARY KEY (segment, segment_offset, size)
) STRICT, WITHOUT ROWID;

-- One row per run, host, measure, test and unit of the gates (verdicts.corpus.rows.runs); examples is a JSON array of texts. A host is
-- held in a run where one of its rows is held: its snapshots of that run are kept out of the corpus.
CREATE TABLE gate_measures (
    crawl_id          TEXT NOT NULL,
    host              TEXT NOT NULL,
    measure           TEXT NOT NULL,
    test              TEXT NOT NULL,
    unit              TEXT NOT NULL,
    had               INTEGER NOT NULL,
    lost              INTEGER NOT NULL,
    rate              REAL,
    p_value           REAL,
    state             TEXT NOT NULL,
    examples          TEXT NOT NULL,
    extractor_version TEXT NOT NULL,
    gate_version      TEXT NOT NULL,
    PRIMARY KEY (crawl_id, host, measure, test, unit)
) STRICT, WITHOUT ROWID;

-- One row per loss that a person accepted.
CREATE TABLE gate_accepts (
    host        TEXT NOT NULL,
    measure     TEXT NOT NULL,
    crawl_id    TEXT NOT NULL,
    accepted_at TEXT NOT NULL,
    accepted_by TEXT NOT NULL,
    reason      TEXT NOT NULL,
    PRIMARY KEY (host, measure, crawl_id)
) STRICT, WITHOUT ROWID;
