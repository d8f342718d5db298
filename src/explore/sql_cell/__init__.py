"""Any SELECT of a visitor, answered by a process of its own that can be killed.

DuckDB looks for an interrupt between pieces of work only: `SELECT repeat('x', 2000000000)` is one piece and runs on for
half a minute. So `child` answers a single question and ends; it imports nothing but DuckDB, reads one published copy,
has no files and no network, and its address space has a limit. `answering` gives it the question, kills it when its
time is over, and keeps the next one started. Imports nothing else of `explore`.
"""
