"""Bytes to text and markup to blocks and grids, whatever the page is about. Imports `model`."""
