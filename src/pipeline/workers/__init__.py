"""Extraction in processes that can be killed: the pool, what goes over its pipes, and the worker process.

Imports no other module of `pipeline` but the record files.
"""
