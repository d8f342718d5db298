"""The rows of each table, and the rules by which two statements of a page must agree. Imports every room before it.

`page_round`, `tool_round` and `address_round` make those of what a night touched.
"""
