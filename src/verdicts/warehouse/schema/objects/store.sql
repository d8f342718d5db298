CREATE TABLE objects.store (
    url VARCHAR NOT NULL,
    manifest BIGINT NOT NULL
);

COMMENT ON TABLE objects.store IS 'The store with the rows of this file: its large relations are views over Parquet.';

COMMENT ON COLUMN objects.store.url IS 'A folder, or s3://bucket/prefix.';
COMMENT ON COLUMN objects.store.manifest IS 'Number of the manifest that names the parts.';
