"""Readers of any other page: schema.org items, `X vs Y` tables, main text. Imports `model`, `html`."""
