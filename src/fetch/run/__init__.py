"""Runs that fill the store: a crawl of sites, a plan of one, an ingest of files.

Imports every other room of `fetch`.
"""
