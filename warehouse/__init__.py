"""Rows in, tables and datasets out.

The loader works on its own DuckDB file, in one transaction: an older file is migrated, rows pass a declared contract,
audits by query come before the commit. Readers get published read-only copies, questions and full text search; an
export is a dataset in files. Loading the same rows again changes nothing, and whatever fails leaves the last good
state as it was. Rooms, lowest first: `storage`, `schema`, `loading`, `serving`, `documents`, `exporting`.
SQL stands in `.sql` files beside its users, one relation each.
"""
