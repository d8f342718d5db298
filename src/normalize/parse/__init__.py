"""Strings of a page to values: numbers, verdicts, prices, names, and text folded for matching. Imports no other room.

Strings in a site's words are read with its profile. Words that are data are in TOML beside the module that reads them.
"""
