"""Work in processes that can be killed: a pool of extracting workers, and single pieces of work (`process`).

A page that takes too long or too much memory, or kills its worker, becomes a reject. Other pages are read. This package
does not know the data folder.
"""
