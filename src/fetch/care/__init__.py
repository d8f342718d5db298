"""Care of a store that may be damaged: find what is, set it aside and ask for its pages again, make the index again.

And a raw store as other tools read it. Imports `model` and `store`.
"""
