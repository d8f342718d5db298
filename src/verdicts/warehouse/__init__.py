"""Rows in, tables and datasets out.

A load checks rows and their references, and commits them to the loader's own DuckDB file in one transaction. Readers
get published read-only copies, questions and full text search; an export is a dataset in files. Loading the same rows
again changes nothing, and a failure leaves the last good state. Lowest first: `storage`, `schema`, `loading`,
`parts`, `serving`, `exporting`. SQL is in `.sql` files, one relation each.
"""
