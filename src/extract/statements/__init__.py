"""What a page states by schema.org in JSON-LD, microdata and RDFa Lite, joined to one graph. Imports `model`."""
