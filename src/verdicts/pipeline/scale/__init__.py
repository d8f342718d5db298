"""Builds past one machine: the same stages, on the workers of an engine, with objects in a store.

Whatever one partition sends to others is an object that is created once, so a batch may run twice or be repeated
elsewhere. Its rows exist when its object exists.
"""
