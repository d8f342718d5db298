-- The shards of public crawls whose pages are known: one row per address, version (fetch.objects) and pattern that the
-- addresses of pages had to match, empty where all were taken.
CREATE TABLE shards (
    shard   TEXT NOT NULL,
    version TEXT NOT NULL,
    include TEXT NOT NULL,
    PRIMARY KEY (shard, version, include)
) STRICT, WITHOUT ROWID;
