"""Joins repeated takes into reviews: mentions in, clusters of distinct texts out. Imports `parse`, `identity`.

`distinct_texts` makes days of mentions and their texts, `similar_texts` finds the pairs worth comparing, `similarity`
compares two and holds every threshold, `clusters` finds the cluster of a text, `deduplicate` joins day after day.
"""
