"""Pictures as geometry: numbers in, frozen records of SVG units out. Pure; the templates draw them.

`axes` has scales and labels, `bars` what stands on a base line, `dots` what stands on an axis, `pictures` the rest.
"""
