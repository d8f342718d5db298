"""Readers of any other page: schema.org statements, `X vs Y` tables, main text. Imports `model`, `html`."""
