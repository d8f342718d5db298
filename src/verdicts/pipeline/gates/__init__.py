"""The gates compare what a night read of a host with earlier nights, page by page, and decide what to hold back.

Pure, between extraction and normalization: no files and no database. `pipeline.build` passes the readings and the rows
of earlier nights, and stores the new rows. Imports the declarations, `extract` and `normalize`.
"""
