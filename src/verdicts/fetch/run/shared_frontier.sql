-- The shared frontier. Its version is that of state.sqlite, whose rows it has.
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

-- Rows of urls and hosts, as JSON arrays in the order of their columns. number: addresses are due in the order of their
-- discovery.
CREATE TABLE IF NOT EXISTS known (
    relation TEXT NOT NULL,
    key      TEXT NOT NULL,
    host     TEXT NOT NULL,
    content  TEXT NOT NULL,
    number   BIGINT GENERATED ALWAYS AS IDENTITY,
    PRIMARY KEY (relation, key)
);
CREATE INDEX IF NOT EXISTS known_by_host ON known (relation, host, number);
