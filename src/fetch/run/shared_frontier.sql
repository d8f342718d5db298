-- The shared frontier. Of addresses and hosts the columns of state.sqlite; moments are text as there.
CREATE TABLE IF NOT EXISTS frontier_version (version BIGINT NOT NULL);

CREATE SEQUENCE IF NOT EXISTS tokens;

-- A row per host that was ever leased. token grows with each lease: what an earlier one would write is refused.
-- next_at: no request before, whoever asks; delay_s: what the host's pace was last. crawled_at: when it was last left
-- with nothing due.
CREATE TABLE IF NOT EXISTS leases (
    host       TEXT PRIMARY KEY,
    holder     TEXT,
    token      BIGINT,
    expires_at TIMESTAMPTZ,
    next_at    TIMESTAMPTZ NOT NULL DEFAULT 'epoch',
    delay_s    DOUBLE PRECISION NOT NULL DEFAULT 0,
    crawled_at TIMESTAMPTZ NOT NULL DEFAULT 'epoch'
);

CREATE TABLE IF NOT EXISTS urls (
    url                   TEXT PRIMARY KEY,
    host                  TEXT NOT NULL,
    due_at                TEXT NOT NULL,
    handled_in            TEXT,
    fetched_at            TEXT,
    unconditional_at      TEXT,
    interval_s            BIGINT NOT NULL,
    lastmod               TEXT,
    claim                 TEXT,
    is_content_unverified BIGINT NOT NULL,
    etag                  TEXT,
    last_modified         TEXT,
    is_etag_wrong         BIGINT NOT NULL,
    sha256                TEXT,
    not_found_nights      BIGINT NOT NULL,
    not_found_on          TEXT,
    is_gone               BIGINT NOT NULL,
    alias_of              TEXT,
    hops                  BIGINT NOT NULL,
    depth                 BIGINT NOT NULL,
    discovered_in         TEXT NOT NULL,
    discovered_from       TEXT NOT NULL,
    standing              TEXT NOT NULL,
    gone_in               TEXT,
    moved_to              TEXT,
    -- In the order of their discovery they are due.
    number                BIGINT GENERATED ALWAYS AS IDENTITY
);
CREATE INDEX IF NOT EXISTS urls_by_host ON urls (host, number);

CREATE TABLE IF NOT EXISTS hosts (
    host          TEXT PRIMARY KEY,
    lastmod_right BIGINT NOT NULL,
    lastmod_wrong BIGINT NOT NULL
);
