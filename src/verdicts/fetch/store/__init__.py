"""The content of a data folder: WARC segments and one SQLite file, under one lock.

Imports `model`, `parse`, `archives`, and the content encodings of `http`: reading a store needs no HTTP client.
"""
