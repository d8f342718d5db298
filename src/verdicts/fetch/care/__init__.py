"""Finds and repairs damage in the raw store and the state, which cannot be made again."""
