"""The grammar of pages on which a panel judges two tools, and the site profiles whose words it is anchored on.

Imports `model`, `html`. `comparison` puts together what `cards`, `decision` and `scorecard` read; `html_page` finds the
blocks of an HTML page that can be read.
"""
