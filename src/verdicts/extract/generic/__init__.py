"""Readers of any other page: a `WebPage` in, names of tools and facts about them out; and the main text.

`promise`, `tool_list`, `boxes`, `axis` find names; `section_values`, `known_sections`, `tables`, `stated` find
facts; `side_by_side` joins both. Imports `model`, `html`, `grids`, `statements`.
"""
