CREATE TABLE IF NOT EXISTS internal.declarations (
    digest VARCHAR NOT NULL
);

COMMENT ON TABLE internal.declarations IS 'One row: the version of the declarations of tables, views and macros in this file.';

COMMENT ON COLUMN internal.declarations.digest IS 'SHA-256 of the SQL that declares them.';
