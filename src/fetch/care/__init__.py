"""Care of a store that may be damaged: find what is, set it aside and ask for its pages again, make the index again.

Imports `model` and `store`.
"""
