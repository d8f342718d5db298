"""Joins repeated takes into reviews: mentions in, clusters of distinct texts out. Imports `parse`, `identity`.

`mentions` makes the distinct texts of each day, `similarity` finds the pairs worth comparing, compares them and holds
every threshold, `deduplicate` joins texts day after day.
"""
