"""Blocks, records, their digest, and the error that rejects a page. Imports no other room."""
