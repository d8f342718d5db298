"""Tables of any page as rectangles of cells: HTML tables, ARIA roles, aligned parts. Imports `html` and `model`."""
