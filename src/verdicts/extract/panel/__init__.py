"""The grammar of pages where a panel judges two tools, and the site profiles with its words.

Imports `model`, `html`. `comparison` chooses among the ways to read a page, and joins what `cards`, `decision`
and `scorecard` read.
"""
