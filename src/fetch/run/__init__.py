"""Runs that fill the store: a crawl of sites, a plan of one.

Imports every other room of `fetch`.
"""
