"""Pictures as geometry: numbers in, frozen records of SVG units out. Pure; the templates draw them.

`axes` has scales and labels, `bars` bars on a base line, `dots` marks on an axis, `pictures` the rest.
"""
