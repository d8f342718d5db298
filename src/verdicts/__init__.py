"""`python -m verdicts` is the command line: where the script is not in the PATH, or another Python is meant.

Imports `commands`.
"""
