"""Readers of any other page: stated tools, `X vs Y` tables, main text. Imports `model`, `html`, `statements`."""
