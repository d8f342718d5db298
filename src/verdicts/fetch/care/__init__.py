"""Finds and repairs damage of what cannot be made again: the raw store and the state."""
