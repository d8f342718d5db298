"""Serves readers: published copies, questions, search, and the difference between two copies."""
