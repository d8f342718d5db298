"""Pictures as geometry: numbers in, frozen records of SVG units out. Pure; the templates draw them."""
