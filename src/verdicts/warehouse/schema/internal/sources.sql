CREATE TABLE IF NOT EXISTS internal.sources (
    relation VARCHAR NOT NULL,
    sha256 VARCHAR NOT NULL
);

COMMENT ON TABLE internal.sources IS
    'A table that holds exactly the rows of Parquet files: the same files need not be read again.';

COMMENT ON COLUMN internal.sources.relation IS 'Name of the table.';
COMMENT ON COLUMN internal.sources.sha256 IS 'Checksum of the bytes of these files, one after the other.';
