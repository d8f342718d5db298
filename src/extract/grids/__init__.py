"""Tables of any page as rectangles of cells: HTML's, those by ARIA's roles, aligned parts, cells in columns, definitions.

Imports `html` and `model`.
"""
