"""Repeated takes into reviews: `mentions` in, clusters of distinct texts out. Imports `parse`, `identity`.

`deduplicate` joins texts into clusters, `matching` chooses the cluster, `similarity` compares two texts, `blocking`
limits what is compared, `thresholds` holds every number.
"""
