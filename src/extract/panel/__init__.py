"""The grammar of pages on which a panel judges two tools, and the site profiles whose words it is anchored on.

Imports `model`, `html`. Rooms, lowest first: `words`, `scorecard`, `layout`, `decision`, `cards`; `grammar` puts
together what they read, `html_page` finds the blocks of an HTML page that can be read.
"""
