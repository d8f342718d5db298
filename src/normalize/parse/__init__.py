"""Strings of a page into values: numbers, verdicts, prices, names, slugs, and text folded for matching.

Imports no other room.
"""
