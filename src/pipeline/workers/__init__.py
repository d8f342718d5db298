"""Pages read in processes that can be killed: the pool, what goes over its pipes, and the process itself.

Imports no other module of `pipeline` but the record files.
"""
