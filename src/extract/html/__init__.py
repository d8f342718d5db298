"""Bytes to text and markup to blocks and tables, whatever the page is about. Imports `model`."""
