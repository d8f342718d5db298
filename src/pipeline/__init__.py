"""The order of things: the night's steps as plain functions, each usable alone.

It brings fetch, extract, normalize and warehouse together over one data folder, and knows nothing of Prefect or of the
command line. Nothing here reads a page or knows a table.
"""
