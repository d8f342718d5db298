"""Finds and repairs damage in a store, and erases what must go. Imports `model`, `archives` and `store`."""
