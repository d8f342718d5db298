CREATE TABLE objects.parts (
    relation VARCHAR NOT NULL,
    name VARCHAR NOT NULL,
    rows BIGINT NOT NULL,
    bytes BIGINT NOT NULL,
    sha256 VARCHAR NOT NULL
);

COMMENT ON TABLE objects.parts IS 'An object that this file reads. A reader can read no others.';

COMMENT ON COLUMN objects.parts.relation IS 'Table or view whose rows it has; those of the search begin search.';
COMMENT ON COLUMN objects.parts.name IS 'Name of the object, within its store.';
COMMENT ON COLUMN objects.parts.rows IS 'Rows of it.';
COMMENT ON COLUMN objects.parts.bytes IS 'Bytes of it.';
COMMENT ON COLUMN objects.parts.sha256 IS 'Checksum of these.';
