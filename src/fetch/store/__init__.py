"""What a data folder holds: WARC segments and one SQLite file, under one lock.

Imports `model`, `parse`, `archives`, and of `http` the content encodings: reading a store needs no HTTP client.
"""
