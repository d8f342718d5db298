"""The schema of a database file: tables, views, macros, comments and version. Imports `storage`."""
