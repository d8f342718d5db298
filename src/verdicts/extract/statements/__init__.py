"""A page's schema.org statements in JSON-LD, microdata and RDFa Lite, as one graph. Imports `model`, `html`."""
