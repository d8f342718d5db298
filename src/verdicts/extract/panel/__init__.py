"""The grammar of pages where a panel judges two tools, and the site profiles with its words.

Imports `model`, `html`. `comparison` joins what `cards`, `decision` and `scorecard` read; `html_page` finds the
readable blocks of an HTML page.
"""
