"""Finds and repairs damage in a store, and writes the raw store in formats of other tools.

Imports `model`, `archives` and `store`.
"""
