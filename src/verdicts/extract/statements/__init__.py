"""A page's schema.org statements in JSON-LD and microdata, as one graph. Imports `model`, `html`."""
