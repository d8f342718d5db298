"""URLs in, snapshots out.

A crawl visits the sites it is given, politely and within bounds; an ingest takes files. Both keep whole answers only,
in append-only WARC segments, with one row in the log for every attempt. A run may be killed at any moment: the next
one resumes. Rooms, lowest first, each importing only from those before it: `model`, `http`, `parse`, `store`, `run`.
"""
