"""Repeated takes into reviews: mentions in, clusters of distinct texts out. Imports `parse`, `identity`, `state`.

`fold_round` folds what a night touched: `reach` says how far that is, `mention_days` makes days of mentions.
`deduplicate` joins texts into clusters, `matching` chooses the cluster, `similar_texts` finds the pairs worth comparing
by their `runs`, `similarity` compares two texts, `thresholds` holds every number.
"""
