"""How much of a page's statements is read. What is beyond is left out, and the page has the doubt `cut_statements`."""

SCRIPT_MAX = 2_000_000
"""Characters of one script."""

DEPTH_MAX = 30
"""Levels of nesting."""

ITEMS_MAX = 2_000
"""Items of one page."""

NODES_MAX = 50_000
"""Elements that are looked at for properties: `itemref` may name the same subtree in every item."""
