"""What a page states by schema.org in JSON-LD, microdata and RDFa Lite, as one graph. Imports `model`, `html`."""
