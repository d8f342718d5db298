"""Work in processes that can be killed: extraction in a pool of workers, and one piece of work alone (`apart`).

A page that takes too long, takes too much memory or kills its worker becomes a reject of its own; its neighbours are
read. Nothing here knows the data folder.
"""
