"""A small file of views over the parts of a manifest, published as a copy is where a copy would not fit.

What a copy has beyond the tables of a build (views, logs, derived columns, the search index) is made of the parts, by
DuckDB, in bounded memory: what has up to SMALL_ROWS rows stands in the file, the rest becomes parts, too. Imports the
rooms before it.
"""
