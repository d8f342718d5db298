"""The grammar of pages on which a panel judges two tools, anchored on the words of a site's profile.

Imports `model`, `html`.
"""
