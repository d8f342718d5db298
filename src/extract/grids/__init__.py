"""Tables of any page as rectangles of cells: HTML's, those by ARIA's roles, aligned parts, definitions.

Imports `html` and `model`.
"""
