"""The grammar of pages on which a panel judges two tools, and the site profiles whose words it is anchored on.

Imports `model`, `html`.
"""
