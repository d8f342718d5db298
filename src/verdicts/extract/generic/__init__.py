"""Readers of any other page: stated tools, tables, lists by sections, main text.

Imports `model`, `html`, `grids`, `statements`.
"""
