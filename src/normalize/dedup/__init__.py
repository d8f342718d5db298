"""Repeated takes into reviews: mentions in, clusters of distinct texts out. Imports `parse`, `identity`.

`mention_days` makes days of mentions, `deduplicate` joins their texts into clusters, `matching` chooses the cluster,
`similar_texts` finds the pairs worth comparing by their `runs`, `similarity` compares two texts, `thresholds` holds
every number.
"""
