CREATE TABLE IF NOT EXISTS internal.migrations (
    version BIGINT NOT NULL,
    name VARCHAR NOT NULL,
    applied_at TIMESTAMPTZ NOT NULL
);

COMMENT ON TABLE internal.migrations IS
    'A version of the schema that the file was brought to; the greatest is the present one.';

COMMENT ON COLUMN internal.migrations.version IS 'Version of the schema, from 1.';
COMMENT ON COLUMN internal.migrations.name IS 'What changed; created: the file began with this version.';
COMMENT ON COLUMN internal.migrations.applied_at IS 'When the load that applied it began.';
