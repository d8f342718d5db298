"""Runs that fill the store, a crawl of sites or an ingest of files; the plan of one, and what it came to, in words.

Imports every other room of `fetch`.
"""
