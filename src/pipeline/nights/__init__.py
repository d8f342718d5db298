"""A night's ending in, words for people out: a line in the log of nights, a report, alerts, numbers.

Nothing here changes the corpus, and nothing that fails here fails the night.
"""
