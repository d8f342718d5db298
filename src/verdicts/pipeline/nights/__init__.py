"""What follows a night: a line in the log of nights, a report, alerts and metrics.

Nothing here changes the corpus, and no failure here fails the night.
"""
