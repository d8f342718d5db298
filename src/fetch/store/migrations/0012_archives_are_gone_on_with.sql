-- Archives of which pages were taken in: shards of public crawls, and files while they are read. One row per address,
-- version (fetch.objects; size and time of a file) and pattern that the addresses of pages had to match, empty where all
-- were taken. `reached`: the byte at which the next record begins that was not read, NULL where all were.
CREATE TABLE archives (
    archive TEXT NOT NULL,
    version TEXT NOT NULL,
    include TEXT NOT NULL,
    reached INTEGER,
    PRIMARY KEY (archive, version, include)
) STRICT, WITHOUT ROWID;
INSERT INTO archives SELECT shard, version, include, NULL FROM shards;
DROP TABLE shards;
