"""The gates: what a night's readings of a host are compared with, page by page, and what holds them back. Pure.

Between extraction and normalization. No files and no database: `pipeline.build` gives the readings of the record files
and what earlier nights noted, and keeps what is noted here. Imports the declarations, `extract` and `normalize`.
"""
