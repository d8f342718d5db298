"""Strings of a page to values: numbers, verdicts, prices, names, and text folded for matching. Imports no other room.

Strings in a site's words are read with its profile. Lists of words are in TOML files beside the module that reads them.
"""
