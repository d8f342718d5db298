"""Care of a store: what is damaged is found and repaired. And the raw store as other tools read it.

Imports `model`, `archives` and `store`.
"""
