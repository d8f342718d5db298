"""Rows into the loader's own file: staged, checked, merged, audited, in one transaction.

Imports `storage`, `schema`.
"""
