"""Repeated takes into reviews: distinct texts, blocking, similarity, clusters. Imports `parse`, `identity`."""
