-- Records of before have no row here until 'verdicts verify' reads them.
CREATE TABLE records (
    segment        TEXT NOT NULL,
    segment_offset INTEGER NOT NULL,
    size           INTEGER NOT NULL,
    sha256         TEXT NOT NULL,
    is_lost        INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (segment, segment_offset)
) STRICT, WITHOUT ROWID;

CREATE TABLE verifications (
    verified_at TEXT PRIMARY KEY,
    share       REAL NOT NULL,
    records     INTEGER NOT NULL,
    bytes       INTEGER NOT NULL,
    damaged     INTEGER NOT NULL,
    example     TEXT
) STRICT;
