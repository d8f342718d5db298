"""Extraction in processes that can be killed: the pool, what goes over its pipes, and the worker process.

A page that takes too long, takes too much memory or kills its worker becomes a reject of its own; its neighbours are
read. Nothing here knows the data folder.
"""
