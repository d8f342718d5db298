"""URLs in, snapshots out.

A crawl requests the pages of the sites it is given, politely and within bounds; an ingest reads files. Both store whole
responses only, in append-only WARC segments, and one row in the log for every attempt. A run may be killed at any
moment: the next one resumes it. Beside `given_files` there are rooms, lowest first, each importing only from those
before it: `model`, `objects`, `http`, `parse`, `archives`, `store`, `care`, `run`.
"""
