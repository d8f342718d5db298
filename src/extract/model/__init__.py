"""Blocks, records and the error that refuses a page. Imports nothing of `extract`."""
