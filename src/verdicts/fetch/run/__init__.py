"""Runs that fill the store (a crawl of sites or an ingest of files), their plan, and their result in words.

Imports every other room of `fetch`.
"""
