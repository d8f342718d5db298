"""Tables of any page as rectangles of cells: HTML tables, ARIA roles, aligned parts, definitions.

Imports `html` and `model`.
"""
