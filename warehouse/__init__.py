"""Rows in, tables and datasets out.

The loader works on its own DuckDB file, in one transaction: rows pass a declared contract, audits by query come before
the commit. Readers get published read-only copies, questions and full text search; an export is a dataset in files.
Loading the same rows again changes nothing, and whatever fails leaves the last good state as it was. Lowest first:
`storage`, `schema`, `loading`, `manifests`, `parts`, `serving`, `exporting`, `reference`. SQL stands in `.sql` files
beside its users, one relation each.
"""
