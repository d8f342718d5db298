"""A pool of extracting workers, in processes that can be killed.

A page that takes too long or too much memory, or kills its worker, becomes a reject. Other pages are read. This package
does not know the data folder.
"""
