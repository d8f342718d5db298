"""Writes the raw store in formats of other tools. Imports `model` and `store`."""
