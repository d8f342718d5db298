"""Bytes to text and markup to blocks and tables, for any page. Imports `model`."""
