"""Strings of a page to values: numbers, verdicts, prices, names, slugs, and text folded for matching.

Strings in a site's words are read with its profile. Imports no other room.
"""
