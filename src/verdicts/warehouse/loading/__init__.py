"""Loads rows into the loader's own file: staged, checked, merged and audited in one transaction. Imports `schema`."""
