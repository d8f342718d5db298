"""URLs in, snapshots out.

A crawl requests pages politely and within bounds; an ingest reads files. Both store only whole responses, in
append-only WARC segments, and log every attempt. A run may be killed at any moment: the next one resumes it. Rooms,
lowest first, each importing only those before it: `model`, `objects`, `http`, `parse`, `archives`, `store`, `care`,
`run`, `saved`.
"""
