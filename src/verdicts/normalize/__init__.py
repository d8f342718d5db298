"""Observations in, rows out: pure functions without network, clock or disk.

`corpus.normalize` is the table of contents: it calls the `steps` in the order in which a person would explain them.
Each takes lists and returns lists, and puts the rows that no later step needs into an `Output` (`work`). The rows do
not depend on the order of observations. `verdicts.pipeline.scale` calls the same steps on shares of the records.

Rooms, lowest first: `corrections`, `parse`, `identity`, `dedup`, `attribution`, `rows`, `external`, `steps`.
"""
