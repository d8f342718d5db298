"""The data folder: frontier and log in SQLite, snapshots in WARC segments, under one lock.

Imports the rooms before it.
"""
