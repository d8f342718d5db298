"""Builds the warehouse from the raw store: extracts new snapshots, normalizes all records, loads changed rows.

Record files keep what was extracted, and a manifest names the inputs of the warehouse, so that a night costs as much as
it has new. Building again gives the same corpus.
"""
