CREATE TABLE objects.parts (
    relation VARCHAR NOT NULL,
    name VARCHAR NOT NULL,
    rows BIGINT NOT NULL,
    bytes BIGINT NOT NULL,
    sha256 VARCHAR NOT NULL
);

COMMENT ON TABLE objects.parts IS 'An object that this file reads. A reader can read only these objects.';

COMMENT ON COLUMN objects.parts.relation IS 'Table or view that it holds rows of; those of the search begin with search.';
COMMENT ON COLUMN objects.parts.name IS 'Name of the object, within its store.';
COMMENT ON COLUMN objects.parts.rows IS 'Number of its rows.';
COMMENT ON COLUMN objects.parts.bytes IS 'Its size in bytes.';
COMMENT ON COLUMN objects.parts.sha256 IS 'SHA-256 of its bytes.';
