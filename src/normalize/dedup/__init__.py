"""Joins repeated takes into reviews: mentions in, clusters of distinct texts out. Imports `parse`, `identity`.

`mentions` makes the distinct texts of each day, `similar_texts` finds the pairs worth comparing, `similarity`
compares two and holds every threshold, `deduplicate` joins them day after day.
"""
